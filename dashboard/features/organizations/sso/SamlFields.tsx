import { useFormContext, useWatch } from 'react-hook-form'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { TextArea } from '../../../ui/controls/TextArea.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import type { SsoValues } from './sso-values.ts'

type Props = {
  /** Of the provider that is set up, when it is a SAML one. */
  entityId: string | undefined
  readOnly: boolean
}

/** Where the metadata of the provider is, and which of its attributes hold what. */
export function SamlFields({ entityId, readOnly }: Props) {
  const { control, register, setValue, formState } = useFormContext<SsoValues>()
  const { errors } = formState
  const source = useWatch({ control, name: 'source' })
  return (
    <>
      <div className="labelled">
        <span>Metadata of the provider</span>
        <div>
          <Segmented
            label="Where the metadata is"
            options={[
              { value: 'url', label: 'At an address' },
              { value: 'xml', label: 'Paste XML' },
            ]}
            value={source}
            onChange={(next) => setValue('source', next, { shouldDirty: true })}
          />
        </div>
      </div>
      {source === 'url' ? (
        <TextField
          label="Metadata address"
          mono
          autoComplete="off"
          placeholder="https://idp.example.com/metadata.xml"
          help={entityId ? `Read again on every save. Now: ${entityId}` : 'Read once you save.'}
          readOnly={readOnly}
          error={errors.metadataUrl?.message}
          {...register('metadataUrl', {
            validate: (url) => /^https?:\/\/\S+$/.test(url.trim()) || 'Enter an https address',
          })}
        />
      ) : (
        <TextArea
          label="Metadata XML"
          mono
          rows={5}
          spellCheck={false}
          help={entityId ? `Leave it empty to keep that of ${entityId}` : undefined}
          readOnly={readOnly}
          error={errors.metadataXml?.message}
          {...register('metadataXml', {
            validate: (xml) =>
              xml.trim() !== '' || entityId !== undefined || 'Paste the metadata of the provider',
          })}
        />
      )}
      <fieldset className="field sso-attributes">
        <legend className="label">Attributes</legend>
        <div className="sso-three">
          {(
            [
              ['emailAttribute', 'Email'],
              ['nameAttribute', 'Full name'],
              ['userNameAttribute', 'User name'],
            ] as const
          ).map(([name, label]) => (
            <TextField
              key={name}
              label={label}
              mono
              autoComplete="off"
              readOnly={readOnly}
              {...register(name)}
            />
          ))}
        </div>
        <p className="help">If left empty, the usual names are used: email, mail, displayName.</p>
      </fieldset>
    </>
  )
}
