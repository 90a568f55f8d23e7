import { useState } from 'react'
import { authUsers } from '#contract/auth/auth-users'
import { useCall } from '../../../api/client.ts'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { SelectField } from '../../../ui/controls/SelectField.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { forgetUsers } from './queries.ts'

type Props = { projectRef: string; id: string; name: string; onClose: () => void }
type Unit = 'h' | 'd'

const hoursIn: Record<Unit, number> = { h: 1, d: 24 }
/** Two hundred years, as long as a ban can last. */
const mostHours = 200 * 365 * 24

/** Keeps a user out for a while. */
export function BanDialog({ projectRef, id, name, onClose }: Props) {
  const [amount, setAmount] = useState('24')
  const [unit, setUnit] = useState<Unit>('h')
  const ban = useCall(authUsers.update, {
    onSuccess: async () => {
      toast.success(`${name} is banned`)
      await forgetUsers()
      onClose()
    },
  })
  const hours = Number(amount) * hoursIn[unit]
  const problem =
    /^\d{1,7}$/.test(amount) && hours >= 1 && hours <= mostHours
      ? undefined
      : 'A whole number from 1 on, 200 years at most'
  return (
    <FormDialog
      title={`Ban ${name}`}
      verb="Ban user"
      danger
      disabled={problem !== undefined}
      pending={ban.isPending}
      onClose={onClose}
      onSubmit={() => ban.mutate({ ref: projectRef, id, ban_duration: `${hours}h` })}
    >
      <p>
        They cannot sign in or refresh a session until then. Their existing tokens work with the
        data API until they expire.
      </p>
      <TextField
        label="How long"
        inputMode="numeric"
        value={amount}
        error={problem}
        onChange={({ target }) => setAmount(target.value)}
      />
      <SelectField
        label="Unit"
        value={unit}
        options={[
          { value: 'h', label: 'Hours' },
          { value: 'd', label: 'Days' },
        ]}
        onChange={setUnit}
      />
      {ban.error && (
        <p className="err" role="alert">
          {ban.error.message}
        </p>
      )}
    </FormDialog>
  )
}
