import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { organizations } from '#contract/organizations/organizations'
import { projects } from '#contract/projects/projects'
import { backups as endpoints, type Backup } from '#contract/projects/backups'
import { computeSizeIds, type ComputeSizeId } from '#contract/projects/compute-sizes'
import type { Project } from '#contract/projects/projects'
import { formatCents } from '#contract/billing/money'
import type { PlanId } from '#contract/billing/plans'
import { useCall } from '../../../api/client.ts'
import { DatabasePassword } from '../../../session/project/DatabasePassword.tsx'
import { useOrganization } from '../../../session/organization/organizations.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { ofProjectLists } from '../../../session/project/project-lists.ts'
import { useStrength, weaknessOf } from '../../../session/identity/use-strength.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { sourceOf, startSource, type SourceChoice, costOf, totalText } from './clone.ts'
import type { Span } from './moment.ts'
import { MomentFields } from './MomentFields.tsx'
import { clockText, reasonText, takenAt } from './words.ts'
import { ofClones, type Cloneable } from './queries.ts'

type Props = {
  project: Project
  /** The completed ones. */
  backups: readonly Backup[]
  spans: readonly Span[]
  start: number | undefined
  target: Cloneable
}
type Values = { name: string; password: string }

const sizeOf = ({ target_compute_size: size }: Cloneable) =>
  computeSizeIds.find((id) => id === size)

/** What the new project is called, what it begins with, and what it costs. */
export function CloneForm({ project, backups, spans, start, target }: Props) {
  const { ref, name, organization_slug: organizationSlug } = project
  const { plan } = useOrganization(organizationSlug)
  const why = useDenials({ organizationSlug, projectRef: ref })
  const [choice, setChoice] = useState(() => startSource(backups, spans, start))
  const { register, control, handleSubmit, setError, setValue, reset, formState } = useForm<Values>(
    { defaultValues: { name: `${name} restored`.slice(0, 64), password: '' } },
  )
  const { errors, isSubmitting } = formState
  const password = useWatch({ control, name: 'password' })
  const strength = useStrength(password)
  const source = sourceOf(choice, spans)
  const clone = useCall(endpoints.clone, {
    changes: [...ofClones, ...ofProjectLists, organizations.list],
    onSuccess: () => {
      toast.success('The new project is being created')
      reset()
    },
  })
  const submit = handleSubmit(async (values) => {
    if (!source.point) return
    const message = await weaknessOf(values.password)
    if (message) return setError('password', { message }, { shouldFocus: true })
    clone.mutate({
      ref,
      newProjectName: values.name,
      newDbPass: values.password,
      ...source.point,
    })
  })
  const pending = isSubmitting || clone.isPending
  return (
    <Form error={clone.error?.message} pending={pending} onSubmit={submit} className="form-stack">
      <Card
        title="New project"
        footer={
          <Button
            type="submit"
            size="form"
            variant="primary"
            busy={pending}
            disabledReason={why(endpoints.clone) ?? why(projects.create) ?? source.problem}
          >
            Restore to a new project
          </Button>
        }
      >
        <div className="form-stack">
          <CloneSource backups={backups} spans={spans} choice={choice} onChange={setChoice} />
          <TextField
            label="Name"
            autoComplete="off"
            help="3 to 64 characters. You can change it later."
            error={errors.name?.message}
            {...register('name', {
              validate: (typed) =>
                (typed.trim().length >= 3 && typed.trim().length <= 64) ||
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
              validate: (typed) =>
                typed === ''
                  ? 'Choose a password for the database, or generate one'
                  : strength.view?.warning || true,
            })}
          />
          <CostTable
            plan={plan.id}
            size={sizeOf(target) ?? project.infra_compute_size}
            diskGb={target.target_volume_size_gb}
          />
          <p className="help">
            It gets only the database, with its tables, rows, roles and users. Storage files, edge
            functions, API keys and settings stay with this project: the new one starts with those
            of a new project. Backups and add-ons are not copied.
          </p>
        </div>
      </Card>
    </Form>
  )
}

type CostTableProps = { plan: PlanId; size: ComputeSizeId; diskGb: number }

/** What the new project costs, part by part. */
function CostTable({ plan, size, diskGb }: CostTableProps) {
  const lines = costOf(plan, size, diskGb)
  return (
    <table className="tbl dense mini backup-cost" aria-label="Cost of the new project">
      <thead>
        <tr>
          <th scope="col">Part</th>
          <th scope="col">Price</th>
          <th scope="col" className="num">
            A month, about
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ name, what, price, month }) => (
          <tr key={name}>
            <td>
              <span className="two-lines">
                {name}
                <span className="muted">{what}</span>
              </span>
            </td>
            <td>{price}</td>
            <td className="num">{formatCents(month)}</td>
          </tr>
        ))}
        <tr>
          <td colSpan={2}>Together</td>
          <td className="num">
            <b>{totalText(lines)}</b>
          </td>
        </tr>
      </tbody>
    </table>
  )
}

type CloneSourceProps = {
  backups: readonly Backup[]
  spans: readonly Span[]
  choice: SourceChoice
  onChange: (choice: SourceChoice) => void
}

/** Which state of the database the new project gets. */
function CloneSource({ backups, spans, choice, onChange }: CloneSourceProps) {
  const both = backups.length > 0 && spans.length > 0
  return (
    <>
      {both && (
        <div>
          <Segmented
            label="Start with"
            options={[
              { value: 'backup', label: 'A backup' },
              { value: 'moment', label: 'A moment' },
            ]}
            value={choice.from}
            onChange={(from) => onChange({ ...choice, from })}
          />
        </div>
      )}
      {choice.from === 'backup' ? (
        <SelectField
          label="Backup"
          options={backups.map((backup) => ({
            value: String(backup.id),
            label: clockText(takenAt(backup)),
            detail: reasonText[backup.reason],
          }))}
          value={choice.backup === undefined ? undefined : String(choice.backup)}
          onChange={(id) => onChange({ ...choice, backup: Number(id) })}
        />
      ) : (
        <MomentFields
          spans={spans}
          choice={choice.moment}
          onChange={(moment) => onChange({ ...choice, moment })}
        />
      )}
    </>
  )
}
