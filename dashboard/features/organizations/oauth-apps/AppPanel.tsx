import {
  useForm,
  useFieldArray,
  type UseFormReturn,
  type Control,
  useController,
  useWatch,
} from 'react-hook-form'
import { Plus, X } from 'lucide-react'
import { useId, useState } from 'react'
import { oauthApps } from '#contract/organizations/oauth-apps'
import type { OAuthApp } from '#contract/organizations/oauth-apps'
import { redirectUriProblem } from '#contract/organizations/redirect-uri'
import { oauthScopeAreas, type OAuthScope } from '#contract/organizations/oauth-scopes'
import { useCall } from '../../../api/client.ts'
import { Button, buttonClass } from '../../../ui/controls/Button.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { FormPanel } from '../../../ui/floats/FormPanel.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { AppPicture } from './AppName.tsx'
import { ofApps } from './queries.ts'
import { areaWords } from './scope-texts.ts'
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
  const create = useCall(oauthApps.create, {
    changes: ofApps,
    onSuccess: onMade,
  })
  const update = useCall(oauthApps.update, {
    changes: ofApps,
    onSuccess: (saved) => {
      toast.success(`${saved.name} is saved`)
      onClose()
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
    <FormPanel
      title={app ? `Edit ${app.name}` : 'Publish an app'}
      size="large"
      verb={app ? 'Save app' : 'Publish app'}
      disabled={app !== undefined && !formState.isDirty}
      pending={isPending}
      onSubmit={submit}
      onClose={onClose}
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
    </FormPanel>
  )
}

const max = 20

/** Where the app may be sent its codes: each compared letter by letter. */
function RedirectUris({ form }: { form: UseFormReturn<AppValues> }) {
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
          disabledReason={fields.length >= max && `At most ${max}`}
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

const kinds = ['read', 'write'] as const

/** What the app asks people for, by area. */
function ScopeMatrix({ control }: { control: Control<AppValues> }) {
  const { field } = useController({ control, name: 'scopes' })
  const toggle = (scope: OAuthScope) =>
    field.onChange(
      field.value.includes(scope)
        ? field.value.filter((one) => one !== scope)
        : [...field.value, scope],
    )
  return (
    <fieldset className="field">
      <legend className="label">Scopes</legend>
      <table className="scopes" aria-label="Scopes">
        <thead className="sr">
          <tr>
            <th>Area</th>
            <th>Read</th>
            <th>Write</th>
          </tr>
        </thead>
        <tbody>
          {oauthScopeAreas.map((area) => (
            <tr key={area}>
              <td>
                {areaWords[area].title}
                <span className="choice-help">{areaWords[area].about}</span>
              </td>
              {kinds.map((kind) => {
                const scope: OAuthScope = `${area}:${kind}`
                return (
                  <td key={kind}>
                    <Checkbox
                      label={kind === 'read' ? 'Read' : 'Write'}
                      aria-label={`${kind === 'read' ? 'Read' : 'Write'} ${areaWords[area].title}`}
                      checked={field.value.includes(scope)}
                      onChange={() => toggle(scope)}
                    />
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="help">
        The app can do no more than this, and never more than the person who authorizes it.
      </p>
    </fieldset>
  )
}

const side = 96

/** A file as a small square picture in a data URL; undefined when the browser cannot read it. */
async function pictureOf(file: File): Promise<string | undefined> {
  const bitmap = await createImageBitmap(file).catch(() => undefined)
  if (!bitmap) return undefined
  const canvas = document.createElement('canvas')
  canvas.width = side
  canvas.height = side
  const short = Math.min(bitmap.width, bitmap.height)
  const [left, top] = [(bitmap.width - short) / 2, (bitmap.height - short) / 2]
  canvas.getContext('2d')?.drawImage(bitmap, left, top, short, short, 0, 0, side, side)
  bitmap.close()
  return canvas.toDataURL('image/png')
}

/** The app's picture, made small in the browser before it is sent. */
function PictureField({ control }: { control: Control<AppValues> }) {
  const id = useId()
  const { field } = useController({ control, name: 'icon' })
  const name = useWatch({ control, name: 'name' })
  const [problem, setProblem] = useState<string>()

  async function choose(file: File | undefined) {
    if (!file) return
    const made = await pictureOf(file)
    setProblem(made ? undefined : 'The browser cannot read this image. Choose another one')
    if (made) field.onChange(made)
  }

  return (
    <div className="field">
      <span className="label">Picture</span>
      <div className="row">
        <AppPicture app={{ name: name || '?', website: '', icon: field.value }} size={40} />
        <label className={buttonClass({}, 'picture-choose')} htmlFor={id}>
          Choose picture
          <input
            id={id}
            className="sr"
            type="file"
            accept="image/png,image/jpeg,image/webp"
            onChange={(event) => void choose(event.target.files?.[0])}
          />
        </label>
        {field.value !== null && <Button onClick={() => field.onChange(null)}>Remove</Button>}
      </div>
      {problem && (
        <p className="err" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

/** What the form of an app holds. */
type AppValues = {
  name: string
  website: string
  icon: string | null
  redirectUris: { uri: string }[]
  scopes: OAuthScope[]
  isPublic: boolean
}

/** Of one that is there, or of one to be published. */
const valuesOf = (app: OAuthApp | undefined): AppValues => ({
  name: app?.name ?? '',
  website: app?.website ?? '',
  icon: app?.icon ?? null,
  redirectUris: (app?.redirect_uris ?? ['']).map((uri) => ({ uri })),
  // The server keeps only scopes.
  scopes: (app?.scopes ?? []) as OAuthScope[],
  isPublic: app?.client_secret_alias === null,
})
