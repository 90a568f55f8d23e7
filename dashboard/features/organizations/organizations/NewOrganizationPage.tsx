import { useNavigate, Link } from '@tanstack/react-router'
import { useForm, useWatch } from 'react-hook-form'
import { organizations } from '#contract/organizations/organizations'
import { profile } from '#contract/people/profile'
import type { Organization } from '#contract/organizations/organizations'
import { type SelfServiceTier, planOfTier, planPriceLabels } from '#contract/billing/plans'
import { useCall } from '../../../api/client.ts'
import { kinds, sizes } from '../../../session/organization/organization-choices.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { Radio } from '../../../ui/controls/Radio.tsx'
import './organizations.css'

type Values = {
  name: string
  kind: Organization['kind']
  size: NonNullable<Organization['size']>
  tier: SelfServiceTier
  spendCap: boolean
}

type Props = { startTier: SelfServiceTier | undefined; onCancel: () => void }

/** /new: a new organization. What follows is its first project. */
export function NewOrganizationPage({ startTier = 'tier_free', onCancel }: Props) {
  const navigate = useNavigate()
  const { register, control, handleSubmit, setValue, formState } = useForm<Values>({
    defaultValues: { name: '', kind: 'PERSONAL', size: '1', tier: startTier, spendCap: true },
  })
  const create = useCall(organizations.create, {
    changes: [organizations.list, profile.permissions],
    onSuccess: ({ slug }) => navigate({ to: '/new/$slug', params: { slug } }),
  })
  const [kind, size, tier] = useWatch({ control, name: ['kind', 'size', 'tier'] })
  const submit = handleSubmit((values) =>
    create.mutate({
      name: values.name,
      kind: values.kind,
      tier: tierFor(values.tier, values.spendCap),
      ...(values.kind === 'COMPANY' ? { size: values.size } : {}),
    }),
  )
  return (
    <Page width="form">
      <PageHead
        title="New organization"
        help="Projects, members and the bill belong to an organization."
      />
      <Form
        error={create.error?.message}
        pending={create.isPending}
        onSubmit={submit}
        className="form-stack"
      >
        <Card
          footer={
            <>
              <Button size="form" onClick={onCancel}>
                Cancel
              </Button>
              <Button type="submit" size="form" variant="primary" busy={create.isPending}>
                Create organization
              </Button>
            </>
          }
        >
          <div className="form-stack">
            <TextField
              label="Name"
              autoComplete="organization"
              help="Shown in lists. You can change it later."
              error={formState.errors.name?.message}
              {...register('name', {
                validate: (name) => name.trim().length > 0 || 'Give the organization a name',
                maxLength: { value: 64, message: 'A name has at most 64 characters' },
              })}
            />
            <SelectField
              label="Type"
              options={kinds}
              value={kind}
              onChange={(next) => setValue('kind', next, { shouldDirty: true })}
            />
            {kind === 'COMPANY' && (
              <SelectField
                label="Company size"
                options={sizes}
                value={size}
                onChange={(next) => setValue('size', next, { shouldDirty: true })}
              />
            )}
            <PlanChoice
              value={tier}
              onChange={(next) => setValue('tier', next, { shouldDirty: true })}
            />
            {tier === 'tier_pro' && (
              <Checkbox
                label={
                  <>
                    Spend cap
                    <span className="choice-help">
                      Usage beyond the plan is stopped instead of charged. Compute and add-ons are
                      charged either way. You can change it later.
                    </span>
                  </>
                }
                {...register('spendCap')}
              />
            )}
          </div>
        </Card>
      </Form>
    </Page>
  )
}

type PlanChoiceProps = { value: SelfServiceTier; onChange: (tier: SelfServiceTier) => void }

/** The plan to start on, as cards. */
function PlanChoice({ value, onChange }: PlanChoiceProps) {
  return (
    <fieldset className="field">
      <legend className="label">Plan</legend>
      <div className="plans">
        {startingPlans.map(({ tier, about }) => (
          <div key={tier} className="plan">
            <Radio
              name="tier"
              label={<span className="med">{planPriceLabels[planOfTier[tier]]}</span>}
              help={about}
              checked={value === tier}
              onChange={() => onChange(tier)}
            />
          </div>
        ))}
      </div>
      <p className="help">
        {planPriceLabels.enterprise}:{' '}
        <Link
          className="link"
          to="/support/new"
          search={{ category: 'Sales', subject: 'Enterprise' }}
        >
          contact us
        </Link>
        .{' '}
        <Link className="link" to="/pricing">
          Compare plans
        </Link>
      </p>
    </fieldset>
  )
}

/** The plans one can start on by oneself; Enterprise is agreed on in person. */
export const startingPlans: { tier: SelfServiceTier; about: string }[] = [
  { tier: 'tier_free', about: 'For trying things out' },
  { tier: 'tier_pro', about: 'For apps in production' },
  { tier: 'tier_team', about: 'For companies with many members' },
]

/** What is asked of the server: Pro without the spend cap is a tier of its own. */
export const tierFor = (tier: SelfServiceTier, spendCap: boolean): SelfServiceTier =>
  tier === 'tier_pro' && !spendCap ? 'tier_payg' : tier
