import { Controller, FormProvider, useForm, useWatch, useFormContext } from 'react-hook-form'
import type { ReactNode } from 'react'
import { hasFeature } from '#contract/billing/plan-comparison'
import { isDomain, joinRoles, sso as api, type SsoSettings } from '#contract/organizations/sso'
import { useOrganization } from '../../../session/organization/organizations.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { TextField, TextArea } from '../../../ui/controls/TextField.tsx'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { PasswordField } from '../../../ui/controls/PasswordField.tsx'
import { type SsoValues, domainsIn, inputOf, valuesOf } from './sso-values.ts'
import { useSsoChange } from './queries.ts'

type Props = { slug: string; settings: SsoSettings; onCancel: () => void }

/** The identity provider: what it has to know of us, and what we have to know of it. */
export function ProviderForm({ slug, settings, onCancel }: Props) {
  const { provider, service } = settings
  const endpoint = provider ? api.update : api.create
  const { plan } = useOrganization(slug)
  const reason =
    useDenials({ organizationSlug: slug })(endpoint) ??
    (hasFeature(plan.id, 'security.sso')
      ? undefined
      : `The ${plan.name} plan does not include single sign-on`)
  const form = useForm<SsoValues>({ defaultValues: valuesOf(settings) })
  const { control, register, handleSubmit, reset, formState } = form
  const confirmation = provider ? 'Single sign-on saved' : 'Single sign-on is set up'
  const save = useSsoChange(endpoint, slug, confirmation)
  const kind = useWatch({ control, name: 'kind' })
  const readOnly = reason !== undefined
  const cancel = () => {
    reset()
    save.reset()
    if (!provider) onCancel()
  }
  return (
    <FormProvider {...form}>
      <Form
        error={save.error?.message}
        pending={save.isPending}
        onSubmit={handleSubmit((values) => save.mutate(inputOf(slug, values)))}
        className="form-stack"
      >
        <Card
          title="Identity provider"
          footer={
            <>
              <Button
                size="form"
                disabled={provider !== null && !formState.isDirty}
                onClick={cancel}
              >
                Cancel
              </Button>
              <Button
                type="submit"
                size="form"
                variant="primary"
                busy={save.isPending}
                disabled={provider !== null && !formState.isDirty}
                disabledReason={reason}
              >
                {provider ? 'Save' : 'Set up'}
              </Button>
            </>
          }
        >
          <div className="form-stack">
            <div className="labelled">
              <span>Protocol</span>
              <div>
                <Controller
                  control={control}
                  name="kind"
                  render={({ field }) => (
                    <Segmented
                      label="Protocol"
                      options={[
                        { value: 'saml', label: 'SAML 2.0' },
                        { value: 'oidc', label: 'OpenID Connect' },
                      ]}
                      value={field.value}
                      onChange={field.onChange}
                    />
                  )}
                />
              </div>
            </div>
            <ServiceDetails kind={kind} service={service} />
            <hr />
            {kind === 'saml' ? (
              <SamlFields entityId={provider?.saml?.entity_id} readOnly={readOnly} />
            ) : (
              <OidcFields issuer={provider?.oidc?.issuer} readOnly={readOnly} />
            )}
            <hr />
            <TextField
              label="Domains"
              autoComplete="off"
              placeholder="example.com, example.org"
              help="People with an email at one of them sign in here. After you save, verify the domains below."
              readOnly={readOnly}
              error={formState.errors.domains?.message}
              {...register('domains', { validate: checkDomains })}
            />
            <Controller
              control={control}
              name="joinRole"
              render={({ field }) => (
                <SelectField
                  label="Role of people who join"
                  help="People get it at their first sign-in; you can change it for each person later."
                  options={joinRoles.map((role) => ({ value: role, label: role }))}
                  value={field.value}
                  onChange={field.onChange}
                />
              )}
            />
            <Checkbox label="Enable sign-in with this provider" {...register('enabled')} />
          </div>
        </Card>
      </Form>
    </FormProvider>
  )
}

function checkDomains(text: string): true | string {
  const domains = domainsIn(text)
  if (domains.length === 0) return 'Name at least one domain'
  const wrong = domains.find((domain) => !isDomain(domain))
  return wrong === undefined || `${wrong} is not a domain`
}

type ServiceDetailsProps = { kind: 'saml' | 'oidc'; service: SsoSettings['service'] }

/** What the identity provider has to be told about us. */
function ServiceDetails({ kind, service }: ServiceDetailsProps) {
  if (kind === 'oidc') return <Detail name="Redirect URI" text={service.redirect_uri} />
  return (
    <>
      <Detail name="Entity ID (audience)" text={service.entity_id} />
      <Detail
        name="Assertion consumer service URL"
        text={service.acs_url}
        end={
          <a className="link" href={service.metadata_url} download="plinth-metadata.xml">
            Download metadata
          </a>
        }
      />
    </>
  )
}

type DetailProps = { name: string; text: string; end?: ReactNode }

function Detail({ name, text, end }: DetailProps) {
  return (
    <div className="labelled">
      <span>
        {name}
        {end}
      </span>
      <CopyText text={text} what={name} />
    </div>
  )
}

type OidcFieldsProps = {
  /** Of the provider that is set up, when it is an OpenID one. */
  issuer: string | undefined
  readOnly: boolean
}

/** How this organization's client is known at its OpenID provider. */
function OidcFields({ issuer, readOnly }: OidcFieldsProps) {
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

type SamlFieldsProps = {
  /** Of the provider that is set up, when it is a SAML one. */
  entityId: string | undefined
  readOnly: boolean
}

/** Where the metadata of the provider is, and which of its attributes hold what. */
function SamlFields({ entityId, readOnly }: SamlFieldsProps) {
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
