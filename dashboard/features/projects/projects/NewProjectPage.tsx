import { useSuspenseQuery } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { Link } from '@tanstack/react-router'
import { billing } from '#contract/billing/billing'
import { organizations as organizationsApi } from '#contract/organizations/organizations'
import { projects as projectsApi } from '#contract/projects/projects'
import { defaultProvider, hasRegion, type CloudProvider } from '#contract/projects/cloud-providers'
import type { ComputeSizeId } from '#contract/projects/compute-sizes'
import { dataApiDefaults, type NewTables } from '#contract/data-api/data-api'
import type { AnyRegionCode } from '#contract/projects/regions'
import type { Organization } from '#contract/organizations/organizations'
import { planNames, planRank } from '#contract/billing/plans'
import { queryClient, useCall } from '../../../api/client.ts'
import { organizationsQuery, useOrganization } from '../../../session/organization/organizations.ts'
import { useContent, useEnvironment } from '../../../session/organization/mode.ts'
import { NewTablesChoice } from '../../../modules/objects/NewTablesChoice.tsx'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { ofProjectLists } from '../../../session/project/project-lists.ts'
import { projectQuery } from '../../../session/project/project.ts'
import type { RequestedPlan } from '../../../session/organization/requested-plan.ts'
import { Avatar } from '../../../ui/text/Avatar.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { DatabasePassword } from '../../../session/project/DatabasePassword.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { startRegion } from '../../../session/project/regions.ts'
import { useStrength, weaknessOf } from '../../../session/identity/use-strength.ts'
import {
  computeOptions,
  providerOptions,
  regionOptions,
  sizeFor,
  startSize,
} from './new-project-choices.ts'

type Values = {
  name: string
  password: string
  provider: CloudProvider
  region: AnyRegionCode
  size: ComputeSizeId
  newTables: NewTables
}

type Props = {
  slug: string
  /** The plan that the link asked for. */
  requested: RequestedPlan | undefined
  onOrganization: (slug: string) => void
  onCreated: (ref: string) => void
  onCancel: () => void
}

/** /new/{slug}: a new project, which is a Postgres server of its own. */
export function NewProjectPage({ slug, requested, onOrganization, onCreated, onCancel }: Props) {
  const organization = useOrganization(slug)
  const { data: organizations } = useSuspenseQuery(organizationsQuery)
  const why = useDenials({ organizationSlug: slug })
  const content = useContent()
  const environment = useEnvironment()
  const start = defaultProvider(environment, content.cloud_providers)
  const regionAt = (of: CloudProvider) => startRegion(timeZone(), of, environment)
  const { register, control, handleSubmit, setError, setValue, formState } = useForm<Values>({
    defaultValues: {
      name: '',
      password: '',
      provider: start,
      region: regionAt(start),
      size: startSize(organization.plan.id),
      newTables: dataApiDefaults.new_tables,
    },
  })
  const { errors, isSubmitting } = formState
  const [password, provider, region, chosen, newTables] = useWatch({
    control,
    name: ['password', 'provider', 'region', 'size', 'newTables'],
  })
  const off = useDisabledFeatures()
  const size = sizeFor(organization.plan.id, chosen)
  const strength = useStrength(password)
  const create = useCall(projectsApi.create, {
    // The keys are read again where they are shown; the cache holds what every page may know.
    onAnswer: ({ anon_key: _anon, service_key: _service, ...project }) =>
      queryClient.setQueryData(projectQuery(project.ref).queryKey, project),
    changes: [...ofProjectLists, organizationsApi.list],
    onSuccess: ({ ref }) => onCreated(ref),
  })
  const submit = handleSubmit(async (values) => {
    const message = await weaknessOf(values.password)
    if (message) return setError('password', { message }, { shouldFocus: true })
    create.mutate({
      name: values.name,
      organization_slug: slug,
      db_pass: values.password,
      db_region: values.region,
      desired_instance_size: size,
      cloud_provider: values.provider,
      new_tables: values.newTables,
    })
  })
  return (
    <Page width="form">
      <PageHead
        title="New project"
        help="A dedicated Postgres 17 server with an API in front of it."
      />
      <div className="form-stack">
        {requested && <PlanFirst organization={organization} requested={requested} />}
        <Form
          error={create.error?.message}
          pending={isSubmitting || create.isPending}
          onSubmit={submit}
          className="form-stack"
        >
          <Card
            footer={
              <>
                <Button size="form" onClick={onCancel}>
                  Cancel
                </Button>
                <Button
                  type="submit"
                  size="form"
                  variant="primary"
                  busy={isSubmitting || create.isPending}
                  disabledReason={why(projectsApi.create)}
                >
                  Create project
                </Button>
              </>
            }
          >
            <div className="form-stack">
              <SelectField
                label="Organization"
                options={organizations.map((o) => ({
                  value: o.slug,
                  label: o.name,
                  detail: o.plan.name,
                  before: <Avatar name={o.name} square size={20} />,
                }))}
                value={slug}
                onChange={onOrganization}
              />
              <TextField
                label="Name"
                autoComplete="off"
                help="3 to 64 characters. You can change it later."
                error={errors.name?.message}
                {...register('name', {
                  validate: (name) =>
                    (name.trim().length >= 3 && name.trim().length <= 64) ||
                    'A name has 3 to 64 characters',
                })}
              />
              <DatabasePassword
                strength={strength.view}
                error={errors.password?.message}
                onGenerate={(made) =>
                  setValue('password', made, { shouldDirty: true, shouldValidate: true })
                }
                password={password}
                {...register('password', {
                  // What the meter has not told yet is waited for when the form is sent.
                  validate: (typed) =>
                    typed === ''
                      ? 'Choose a password for the database, or generate one'
                      : strength.view?.warning || true,
                })}
              />
              {content.cloud_providers.length > 1 && (
                <SelectField
                  label="Cloud provider"
                  options={providerOptions(content)}
                  value={provider}
                  onChange={(next) => {
                    setValue('provider', next, { shouldDirty: true })
                    if (!hasRegion(next, region)) setValue('region', regionAt(next))
                  }}
                />
              )}
              <SelectField
                label="Region"
                help="Choose the region nearest to most of your users."
                options={regionOptions(provider)}
                value={region}
                onChange={(next) => setValue('region', next, { shouldDirty: true })}
              />
              <SelectField
                label="Compute size"
                help={organization.plan.id === 'free' && 'Larger sizes need the Pro plan.'}
                options={computeOptions(
                  organization.plan.id,
                  !off('project_addons:show_compute_price'),
                )}
                value={size}
                onChange={(next) => setValue('size', next, { shouldDirty: true })}
              />
              {!off('project_creation:show_advanced_config') && (
                <NewTablesChoice
                  value={newTables}
                  locked={false}
                  help="Choose whether apps can reach new tables through the Data API. You can change it later."
                  onChoose={(next) => setValue('newTables', next, { shouldDirty: true })}
                />
              )}
            </div>
          </Card>
        </Form>
      </div>
    </Page>
  )
}

const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

type PlanFirstProps = {
  organization: Pick<Organization, 'slug' | 'name' | 'plan'>
  requested: RequestedPlan
}

/** For who comes for a plan that is above the organization's: a plan belongs to the organization, not to a project. */
function PlanFirst({ organization: { slug, name, plan }, requested }: PlanFirstProps) {
  const reason = useDenials({ organizationSlug: slug })(billing.changeSubscription)
  if (planRank(requested) <= planRank(plan.id)) return null
  const words = `Change to ${planNames[requested]}`
  return (
    <Alert
      variant="info"
      title={`${name} is on the ${plan.name} plan`}
      action={
        reason === undefined ? (
          <Link
            className="btn"
            to="/org/$slug/billing"
            params={{ slug }}
            search={{ plan: requested }}
          >
            {words}
          </Link>
        ) : (
          <Button disabledReason={reason}>{words}</Button>
        )
      }
    >
      The plan belongs to the organization and applies to all its projects. Change it first, or
      continue with the plan it has.
    </Alert>
  )
}
