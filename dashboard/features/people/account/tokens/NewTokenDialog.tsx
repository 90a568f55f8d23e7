import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { api } from '#contract/api'
import { forget, useCall } from '../../../../api/client.ts'
import { Alert } from '../../../../ui/Alert.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Dialog } from '../../../../ui/floats/Dialog.tsx'
import { SelectField } from '../../../../ui/controls/Select.tsx'
import { TextField } from '../../../../ui/controls/TextField.tsx'
import { FormDialog } from '../../../../ui/floats/FormDialog.tsx'
import { CopyText } from '../../../../ui/text/CopyText.tsx'

type Values = { name: string; day: string }

/** Name and end of a new token, then the token itself, once. */
export function NewTokenDialog(props: { open: boolean; onClose: () => void }) {
  return props.open ? <OpenNewTokenDialog onClose={props.onClose} /> : null
}

function OpenNewTokenDialog({ onClose }: { onClose: () => void }) {
  const [expiry, setExpiry] = useState<Expiry>('30d')
  const [today] = useState(() => dayOf(new Date()))
  const { register, handleSubmit, formState } = useForm<Values>({
    defaultValues: { name: '', day: '' },
  })
  const create = useCall(api.accessTokens.create, {
    onSuccess: () => forget(api.accessTokens.list),
  })
  if (create.data) return <TokenShown token={create.data.token} onClose={onClose} />

  function submit({ name, day }: Values) {
    const end = expiresAt(expiry, day)
    create.mutate({ name: name.trim(), ...(end ? { expires_at: end.toISOString() } : {}) })
  }
  const { errors } = formState
  return (
    <FormDialog
      title="New access token"
      verb="Create token"
      error={create.error?.message}
      pending={create.isPending}
      onSubmit={handleSubmit(submit)}
      onClose={onClose}
    >
      <div className="form-stack">
        <TextField
          label="Name"
          autoComplete="off"
          help="Say what it is for, such as the name of a script."
          error={errors.name?.message}
          {...register('name', {
            validate: (name) => {
              if (!name.trim()) return 'Enter a name'
              return name.trim().length <= 64 || 'At most 64 characters'
            },
          })}
        />
        <SelectField label="Expires after" options={expiries} value={expiry} onChange={setExpiry} />
        {expiry === 'custom' && (
          <TextField
            label="Last day"
            type="date"
            min={today}
            error={errors.day?.message}
            {...register('day', {
              validate: (day) => day >= today || 'Choose today or a later day',
            })}
          />
        )}
        {expiry === 'never' && (
          <Alert variant="warning" title="It works until you revoke it">
            A token that expires does less harm if someone else gets hold of it.
          </Alert>
        )}
      </div>
    </FormDialog>
  )
}

/** The one time that a token is shown. */
function TokenShown({ token, onClose }: { token: string; onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="Your new access token"
      footer={
        <Button size="form" variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="form-stack">
        <Alert variant="warning" title="Copy it now">
          You will not see it again. We store only what we need to verify it.
        </Alert>
        <CopyText text={token} what="access token" />
      </div>
    </Dialog>
  )
}

const hour = 3600_000
const day = 24 * hour

export const expiries = [
  { value: '1h', label: '1 hour', ms: hour },
  { value: '1d', label: '1 day', ms: day },
  { value: '7d', label: '7 days', ms: 7 * day },
  { value: '30d', label: '30 days', ms: 30 * day },
  { value: 'custom', label: 'Custom date', ms: undefined },
  { value: 'never', label: 'Never', ms: undefined },
] as const
type Expiry = (typeof expiries)[number]['value']

/** Today as a date field writes it, in the person's own zone. */
export const dayOf = (time: Date): string =>
  [time.getFullYear(), time.getMonth() + 1, time.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')

/**
 * When a token made now ends; undefined: never. A chosen day is included: the token ends with it, in the person's own
 * zone.
 */
export function expiresAt(expiry: Expiry, chosenDay: string, now = new Date()): Date | undefined {
  if (expiry === 'custom') return new Date(`${chosenDay}T23:59:59.999`)
  const { ms } = expiries.find(({ value }) => value === expiry) ?? {}
  return ms === undefined ? undefined : new Date(now.getTime() + ms)
}
