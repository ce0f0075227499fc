import { ACCOUNT_KINDS, type AccountKind, AddBigoAccountBody, AddTikTokAccountBody } from '@siarin/contracts/accounts'
import { TOKEN_MAX } from '@siarin/contracts/limits'
import { ACCOUNT_TEXTS } from '@siarin/contracts/texts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { CodeInput, Field, Select } from '../../../components/field.tsx'
import { OwnNameField } from '../../../components/own-name-field.tsx'
import { featureMessage } from '../../../lib/feature-calls.ts'
import { SessionEndedError } from '../../../lib/http.ts'
import type { Say } from '../../../lib/message.ts'
import { KIND_FACTS } from '../account-kinds.ts'
import { ACCOUNT_LIST_KEYS, addAccount } from '../api/accounts.ts'

type Faults = { readonly credential?: string; readonly name?: string }

const EMPTY = { credential: '', name: '' }

/** The body to send, or what is wrong with which field: the server checks by the same rules. */
function check(kind: AccountKind, { credential, name }: typeof EMPTY): { body: object } | { faults: Faults } {
  const parsed =
    kind === 'bigo'
      ? AddBigoAccountBody.safeParse({ siteId: credential, name })
      : AddTikTokAccountBody.safeParse({ token: credential, name })
  if (parsed.success) return { body: parsed.data }
  const faultOf = (isName: boolean): string | undefined =>
    parsed.error.issues.find(({ path }) => (path[0] === 'name') === isName)?.message
  const [ofCredential, ofName] = [faultOf(false), faultOf(true)]
  return { faults: { ...(ofCredential && { credential: ofCredential }), ...(ofName && { name: ofName }) } }
}

export function AddAccountForm({ say }: { say: Say }) {
  const queryClient = useQueryClient()
  const [kind, setKind] = useState<AccountKind>('bigo')
  const [typed, setTyped] = useState(EMPTY)
  const [faults, setFaults] = useState<Faults>({})
  const facts = KIND_FACTS[kind]

  const add = useMutation({
    mutationFn: (body: object) => addAccount(kind, body),
    onSuccess: async (message) => {
      setTyped(EMPTY)
      say(message)
      await Promise.all(ACCOUNT_LIST_KEYS.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
    },
    onError: (error) => {
      if (!(error instanceof SessionEndedError)) say(featureMessage(error, ACCOUNT_TEXTS.addFailed), 'error')
    },
  })

  const type = (change: Partial<typeof EMPTY>): void => {
    setTyped({ ...typed, ...change })
    setFaults({})
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const checked = check(kind, typed)
    if ('body' in checked) add.mutate(checked.body)
    else setFaults(checked.faults)
  }
  const empty = typed.credential.trim() === '' || typed.name.trim() === ''

  return (
    <form noValidate className="grid max-w-120 gap-4 p-6" onSubmit={submit}>
      <Field id="account-platform" label="Platform">
        <Select
          value={kind}
          onChange={(event) => {
            setKind(event.currentTarget.value as AccountKind)
            // An id of one platform is of no use on the other.
            type({ credential: '' })
          }}
        >
          {ACCOUNT_KINDS.map((value) => (
            <option key={value} value={value}>
              {KIND_FACTS[value].label}
            </option>
          ))}
        </Select>
      </Field>
      <Field
        id="account-credential"
        label={facts.credentialLabel}
        hint={facts.credentialHint}
        fault={faults.credential}
      >
        <CodeInput
          value={typed.credential}
          maxLength={TOKEN_MAX}
          onChange={(event) => type({ credential: event.currentTarget.value })}
        />
      </Field>
      <OwnNameField
        id="account-name"
        label="Account Name"
        value={typed.name}
        fault={faults.name}
        onChange={(name) => type({ name })}
      />
      <div>
        <Button type="submit" busy={add.isPending} disabled={add.isPending || empty} aria-describedby="add-reason">
          Add Account
        </Button>
        <p id="add-reason" className="mt-2 min-h-4 text-xs text-ink-soft">
          {empty && `Isi ${facts.credentialLabel} dan Account Name dulu.`}
        </p>
      </div>
    </form>
  )
}
