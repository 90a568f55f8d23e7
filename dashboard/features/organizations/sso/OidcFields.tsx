import { useFormContext, useWatch } from 'react-hook-form'
import { PasswordField } from '../../../ui/controls/PasswordField.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import type { SsoValues } from './sso-values.ts'

type Props = {
  /** Of the provider that is set up, when it is an OpenID one. */
  issuer: string | undefined
  readOnly: boolean
}

/** How this organization's client is known at its OpenID provider. */
export function OidcFields({ issuer, readOnly }: Props) {
  const { control, register, formState } = useFormContext<SsoValues>()
  const { errors } = formState
  const typed = useWatch({ control, name: 'issuer' })
  const keeps = issuer !== undefined && typed.trim() === issuer
  return (
    <>
      <TextField
        label="Issuer"
        mono
        autoComplete="off"
        placeholder="https://login.example.com"
        readOnly={readOnly}
        error={errors.issuer?.message}
        {...register('issuer', {
          validate: (url) => /^https?:\/\/\S+$/.test(url.trim()) || 'Enter an https address',
        })}
      />
      <TextField
        label="Client ID"
        mono
        autoComplete="off"
        readOnly={readOnly}
        error={errors.clientId?.message}
        {...register('clientId', { validate: (id) => id.trim() !== '' || 'Enter the client ID' })}
      />
      <PasswordField
        label="Client secret"
        autoComplete="new-password"
        help={keeps ? 'Leave it empty to keep the one that is stored.' : 'Stored encrypted.'}
        readOnly={readOnly}
        error={errors.clientSecret?.message}
        {...register('clientSecret', {
          validate: (secret) => secret !== '' || keeps || 'Enter the client secret',
        })}
      />
    </>
  )
}
