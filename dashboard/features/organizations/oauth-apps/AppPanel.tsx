import { useForm } from 'react-hook-form'
import { api } from '#contract/api'
import type { OAuthApp } from '#contract/organizations/oauth-apps'
import { useCall } from '../../../api/client.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { valuesOf, type AppValues } from './app-values.ts'
import { PictureField } from './PictureField.tsx'
import { forgetApps } from './queries.ts'
import { RedirectUris } from './RedirectUris.tsx'
import { ScopeMatrix } from './ScopeMatrix.tsx'
import type { NewSecret } from './SecretDialog.tsx'

type Props = {
  slug: string
  /** Undefined for one to be published. */
  app: OAuthApp | undefined
  onClose: () => void
  onMade: (made: NewSecret) => void
}

const webAddress = (text: string) =>
  (/^https?:\/\/\S+$/.test(text.trim()) && URL.canParse(text.trim())) ||
  'Enter the full URL, including https://'

/** Publishes an app or changes one. */
export function AppPanel({ slug, app, onClose, onMade }: Props) {
  const form = useForm<AppValues>({ defaultValues: valuesOf(app) })
  const { register, control, handleSubmit, formState } = form
  const create = useCall(api.oauthApps.create, {
    onSuccess: async (made) => {
      onMade(made)
      await forgetApps()
    },
  })
  const update = useCall(api.oauthApps.update, {
    onSuccess: async (saved) => {
      toast.success(`${saved.name} is saved`)
      onClose()
      await forgetApps()
    },
  })
  const { error, isPending } = app ? update : create

  const submit = handleSubmit(({ redirectUris, isPublic, name, website, icon, scopes }) => {
    const input = {
      slug,
      name,
      website: website.trim(),
      icon,
      redirect_uris: redirectUris.map(({ uri }) => uri.trim()),
      scopes,
    }
    if (app) update.mutate({ ...input, id: app.id })
    else create.mutate({ ...input, public: isPublic })
  })

  return (
    <SidePanel
      open
      size="large"
      onClose={onClose}
      title={app ? `Edit ${app.name}` : 'Publish an app'}
      shell={(inside) => (
        <Form error={undefined} pending={isPending} onSubmit={submit}>
          {inside}
        </Form>
      )}
      footer={
        <>
          <Button size="form" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            size="form"
            variant="primary"
            busy={isPending}
            disabled={app !== undefined && !formState.isDirty}
          >
            {app ? 'Save app' : 'Publish app'}
          </Button>
        </>
      }
    >
      <TextField
        label="Name"
        help="People see this when the app asks for access."
        autoComplete="off"
        error={formState.errors.name?.message}
        {...register('name', {
          validate: (text) => text.trim().length > 0 || 'Give the app a name',
          maxLength: { value: 64, message: 'A name has at most 64 characters' },
        })}
      />
      <TextField
        label="Website"
        mono
        inputMode="url"
        autoComplete="off"
        placeholder="https://example.com"
        error={formState.errors.website?.message}
        {...register('website', { validate: webAddress })}
      />
      <PictureField control={control} />
      <RedirectUris form={form} />
      <ScopeMatrix control={control} />
      {!app && (
        <Checkbox
          label={
            <>
              Public app
              <span className="choice-help">
                It runs where people could read a secret: on a phone, on a desktop or in a terminal.
                It gets no secret and must use PKCE. You cannot change this later.
              </span>
            </>
          }
          {...register('isPublic')}
        />
      )}
      {error && (
        <p className="err" role="alert">
          {error.message}
        </p>
      )}
    </SidePanel>
  )
}
