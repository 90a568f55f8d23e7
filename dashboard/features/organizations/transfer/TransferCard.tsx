import { useSuspenseQuery, useQuery } from '@tanstack/react-query'
import { ArrowRightLeft } from 'lucide-react'
import { useState } from 'react'
import { organizations as organizationsApi } from '#contract/organizations/organizations'
import { profile } from '#contract/people/profile'
import { projects as projectsApi } from '#contract/projects/projects'
import { transfer as transferApi } from '#contract/organizations/transfer'
import type { Organization } from '#contract/organizations/organizations'
import type { Project } from '#contract/projects/projects'
import type { TransferPreview } from '#contract/organizations/transfer'
import { organizationsQuery } from '../../../session/organization/organizations.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { projectQuery } from '../../../session/project/project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { q, useCall } from '../../../api/client.ts'
import { ofProjectLists } from '../../../session/project/project-lists.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/floats/toast.ts'

/** In the settings of a project: moves it to another organization. */
export function TransferCard({ projectRef }: { projectRef: string }) {
  const { data: project } = useSuspenseQuery(projectQuery(projectRef))
  const { data: organizations } = useSuspenseQuery(organizationsQuery)
  const { organization_slug: organizationSlug } = project
  const off = useDisabledFeatures()
  const why = useDenials({ organizationSlug, projectRef })
  const [asking, setAsking] = useState(false)
  const others = organizations.filter(({ slug }) => slug !== organizationSlug)
  const own = organizations.find(({ slug }) => slug === organizationSlug)
  const reason =
    (off('projects:transfer') ? 'Transferring projects is switched off here' : undefined) ??
    why(transferApi.run) ??
    (others.length === 0 ? 'You are not in another organization' : undefined)
  return (
    <Card title="Transfer project" padded={false}>
      <div className="set-row">
        <div className="grow">
          <p>
            It moves from {own?.name ?? organizationSlug} to another of your organizations, with
            everything in it. Its ref, URL and keys stay the same.
          </p>
        </div>
        <Button icon={ArrowRightLeft} disabledReason={reason} onClick={() => setAsking(true)}>
          Transfer project
        </Button>
      </div>
      {asking && (
        <TransferDialog project={project} others={others} onClose={() => setAsking(false)} />
      )}
    </Card>
  )
}

type Props = { project: Project; others: readonly Organization[]; onClose: () => void }

/** Where to, what that means, and what stands in the way. */
function TransferDialog({ project, others, onClose }: Props) {
  const { ref, name } = project
  const [slug, setSlug] = useState<string>()
  const input = { ref, target_organization_slug: slug ?? '' }
  const preview = useQuery({
    ...q(transferApi.preview, input, 0),
    enabled: slug !== undefined,
    // A person looks at it now; what it says must not be from before.
    gcTime: 0,
  })
  const target = others.find((organization) => organization.slug === slug)
  const transfer = useCall(transferApi.run, {
    changes: [...ofProjectLists, projectsApi.detail, organizationsApi.list, profile.permissions],
    onSuccess: () => {
      toast.success(`${name} belongs to ${target?.name ?? slug} now`)
      onClose()
    },
  })
  const ready = slug !== undefined && preview.data?.valid === true && !preview.isFetching
  return (
    <FormDialog
      title={`Transfer ${name}`}
      verb="Transfer project"
      disabled={!ready}
      pending={transfer.isPending}
      onSubmit={() => ready && transfer.mutate(input)}
      onClose={onClose}
    >
      <div className="form-stack">
        <SelectField
          label="To organization"
          options={others.map((organization) => ({
            value: organization.slug,
            label: organization.name,
            detail: organization.plan.name,
          }))}
          value={slug}
          onChange={setSlug}
          placeholder="Choose an organization"
        />
        {slug !== undefined && (
          <Consequences
            preview={preview.isFetching ? undefined : preview.data}
            error={preview.error}
          />
        )}
        {transfer.error && (
          <p className="err" role="alert">
            {transfer.error.message}
          </p>
        )}
      </div>
    </FormDialog>
  )
}

type ConsequencesProps = { preview: TransferPreview | undefined; error: Error | null }

function Consequences({ preview, error }: ConsequencesProps) {
  if (error) return <Alert variant="danger" title={error.message} />
  if (!preview) return <Skeleton width="100%" height={64} />
  if (!preview.valid)
    return (
      <Alert variant="danger" title="It cannot be transferred there">
        <List of={preview.errors} />
      </Alert>
    )
  return (
    <>
      {preview.warnings.length > 0 && (
        <Alert variant="warning" title="Before you start">
          <List of={preview.warnings} />
        </Alert>
      )}
      <p className="muted">
        The members of the target organization can use it at once, each as their role there allows,
        and the target organization pays for it from now on. Apps that use it notice nothing.
      </p>
    </>
  )
}

const List = ({ of }: { of: readonly { key: string; message: string }[] }) => (
  <ul className="stack">
    {of.map(({ key, message }) => (
      <li key={key}>{message}</li>
    ))}
  </ul>
)
