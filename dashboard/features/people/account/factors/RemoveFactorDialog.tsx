import type { Factor } from '@supabase/auth-js'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { auth } from '../../../../session/identity/auth.ts'
import {
  recoveryCodeRules,
  recoveryCodesQuery,
  showRecoveryCode,
} from '../../../../session/identity/recovery-codes.ts'
import { FormDialog } from '../../../../ui/floats/FormDialog.tsx'
import { SelectField } from '../../../../ui/controls/SelectField.tsx'
import { TextField } from '../../../../ui/controls/TextField.tsx'
import { toast } from '../../../../ui/floats/toast.ts'
import { forgetAuth } from '../account-data.ts'
import { codeRules, plainCode } from './code-rules.ts'
import { useAuthAction } from '../use-auth-action.ts'

type Props = {
  factor: Factor
  factors: readonly Factor[]
  nameOf: (factor: Factor) => string
  onClose: () => void
}

/** In the list of what confirms it: a factor has an id of another shape. */
const recovery = 'recovery'

/** Asks for a code, of this app, of another or of those for a lost one: whoever found this window open has none. */
export function RemoveFactorDialog({ factor, factors, nameOf, onClose }: Props) {
  const [via, setVia] = useState(factor.id)
  const { data: codes } = useQuery(recoveryCodesQuery)
  const name = nameOf(factor)
  const { register, handleSubmit, formState, resetField } = useForm({ defaultValues: { code: '' } })
  const remove = useAuthAction(
    async ({ code }: { code: string }) => {
      const { mfa } = await auth()
      const shown =
        via === recovery
          ? await showRecoveryCode(code)
          : await mfa.challengeAndVerify({ factorId: via, code: plainCode(code) })
      return shown.error ? shown : mfa.unenroll({ factorId: factor.id })
    },
    async () => {
      onClose()
      toast.success(`${name} is removed`)
      // A token that says so: this session has nothing left to show.
      await (await auth()).refreshSession()
      await forgetAuth('factors', 'recovery-codes', 'user', 'sessions')
    },
  )
  const ways = [
    ...factors.map((each) => ({ value: each.id, label: nameOf(each) })),
    ...(codes && codes.remaining > 0 ? [{ value: recovery, label: 'A recovery code' }] : []),
  ]
  return (
    <FormDialog
      title={`Remove ${name}?`}
      verb="Remove app"
      danger
      pending={remove.isPending}
      onSubmit={handleSubmit(({ code }) =>
        remove.mutate({ code: code.trim() }, { onError: () => resetField('code') }),
      )}
      onClose={onClose}
    >
      <p>
        {factors.length === 1
          ? 'Your password alone will be enough to sign in as you, and organizations that require a second factor will not let you in.'
          : 'Its codes no longer work here. Your other apps stay.'}
      </p>
      {ways.length > 1 && (
        <SelectField label="Confirm with" options={ways} value={via} onChange={setVia} />
      )}
      <TextField
        label="Code"
        mono
        {...(via === recovery
          ? { autoComplete: 'off', maxLength: 20 }
          : { inputMode: 'numeric', autoComplete: 'one-time-code', maxLength: 7 })}
        error={formState.errors.code?.message ?? remove.error?.message}
        {...register('code', via === recovery ? recoveryCodeRules : codeRules)}
      />
    </FormDialog>
  )
}
