import { Plus, X } from 'lucide-react'
import { useFieldArray, type UseFormReturn } from 'react-hook-form'
import { redirectUriProblem } from '#contract/organizations/redirect-uri'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import type { AppValues } from './app-values.ts'

const most = 20

/** Where the app may be sent its codes: each compared letter by letter. */
export function RedirectUris({ form }: { form: UseFormReturn<AppValues> }) {
  const { register, control, formState } = form
  const { fields, append, remove } = useFieldArray({ control, name: 'redirectUris' })
  return (
    <fieldset className="field">
      <legend className="label">Redirect URIs</legend>
      <div className="stack">
        {fields.map((field, index) => (
          <div key={field.id} className="uri-row">
            <TextField
              label={<span className="sr">Redirect URI {index + 1}</span>}
              mono
              inputMode="url"
              autoComplete="off"
              placeholder="https://example.com/oauth/callback"
              error={formState.errors.redirectUris?.[index]?.uri?.message}
              {...register(`redirectUris.${index}.uri`, {
                validate: (uri) => sentence(redirectUriProblem(uri.trim())) ?? true,
              })}
            />
            <IconButton
              icon={X}
              size="form"
              label={`Remove redirect URI ${index + 1}`}
              disabledReason={fields.length === 1 && 'An app needs one'}
              onClick={() => remove(index)}
            />
          </div>
        ))}
      </div>
      <div className="uri-more">
        <Button
          icon={Plus}
          disabledReason={fields.length >= most && `At most ${most}`}
          onClick={() => append({ uri: '' })}
        >
          Add another
        </Button>
        <span className="help">URIs must match exactly, without wildcards.</span>
      </div>
    </fieldset>
  )
}

const sentence = (problem: string | undefined) => problem && `It ${problem}`
