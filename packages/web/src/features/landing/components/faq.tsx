import { ChevronDown } from 'lucide-react'
import { lowestPrice } from '../../../lib/offer.ts'
import { settings } from '../../../lib/settings.ts'
import { faq } from '../content.ts'
import { Section } from './section.tsx'

/** The browser's own accordion: entries of one name, of which one is open at a time. */
export function Faq() {
  return (
    <Section id="faq" title="Yang sering ditanyakan">
      <div className="mx-auto max-w-[36rem] divide-y divide-line rounded-card border border-line bg-card">
        {faq(settings().trialDays, lowestPrice()).map(({ question, answer }, index) => (
          <details key={question} name="faq" open={index === 0} className="group">
            <summary className="flex min-h-14 cursor-pointer list-none items-center justify-between gap-4 rounded-card px-5 py-4 -outline-offset-2 [&::-webkit-details-marker]:hidden">
              <h3 className="text-base font-semibold tracking-normal">{question}</h3>
              <ChevronDown
                aria-hidden
                size={20}
                strokeWidth={1.75}
                className="shrink-0 text-ink-soft transition-transform group-open:rotate-180"
              />
            </summary>
            <p className="px-5 pb-5 text-base text-pretty text-ink-soft">{answer}</p>
          </details>
        ))}
      </div>
    </Section>
  )
}
