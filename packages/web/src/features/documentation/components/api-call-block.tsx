import { Link as LinkIcon } from 'lucide-react'
import { Badge } from '../../../components/badge.tsx'
import { type ApiCall, type ApiField, curlOf } from '../api-reference/api-call.ts'
import { CodeBlock } from './code-block.tsx'

const ACCESS_WORDS: Record<ApiCall['access'], string> = { key: 'API key', session: 'Token sesi', nothing: 'Terbuka' }

/** 'post-fitur-steam-start': a call can be linked to like any heading. */
const anchorOf = ({ method, path }: ApiCall): string =>
  `${method}${path}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/-$/, '')

function Fields({ fields }: { fields: readonly ApiField[] }) {
  return (
    <dl className="mt-4 grid border-b border-line text-sm sm:grid-cols-[max-content_minmax(0,1fr)]">
      {fields.map(({ name, note, optional }) => (
        <div key={name} className="contents" data-field={name}>
          <dt className="border-t border-line pt-2 pr-6 sm:py-2">
            <code>{name}</code>
            {optional && <span className="ml-2 text-xs text-ink-soft">opsional</span>}
          </dt>
          <dd className="pb-2 text-ink-soft sm:border-t sm:border-line sm:pt-2">{note}</dd>
        </div>
      ))}
    </dl>
  )
}

/** One call: what it does, what it takes, what it answers, and a command that makes it. */
export function ApiCallBlock({ call, server }: { call: ApiCall; server: string }) {
  const { method, path, what, access, fields, answer, example } = call
  const anchor = anchorOf(call)
  return (
    <section aria-labelledby={anchor} data-call={`${method} ${path}`} className="api-call">
      <h3 id={anchor}>
        <a href={`#${anchor}`} className="group/heading flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-mono text-sm font-bold text-accent-ink">{method}</span>
          <span className="min-w-0 font-mono text-sm font-semibold break-all">{path}</span>
          <LinkIcon
            aria-hidden
            size={16}
            strokeWidth={1.75}
            className="text-ink-soft opacity-0 transition-opacity group-hover/heading:opacity-100 group-focus-visible/heading:opacity-100 max-sm:hidden"
          />
          <span className="ml-auto">
            <Badge>{ACCESS_WORDS[access]}</Badge>
          </span>
        </a>
      </h3>
      <p>{what}</p>
      {fields && <Fields fields={fields} />}
      {answer && (
        <p className="text-sm text-ink-soft">
          <span className="font-semibold text-ink">Jawaban.</span> {answer}
        </p>
      )}
      <CodeBlock label="Terminal" code={curlOf(call, server)} />
      {example?.answer && <CodeBlock label="Jawaban" code={JSON.stringify(example.answer, null, 2)} />}
    </section>
  )
}
