import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, Share2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { addOnVariant, logDrainRates } from '#contract/billing/add-ons'
import { formatRate } from '#contract/billing/money'
import { hasFeature } from '#contract/billing/plan-comparison'
import type { PlanId } from '#contract/billing/plans'
import type { Organization } from '#contract/organizations/organizations'
import type { Target } from '#contract/permissions'
import { maxLogDrains, type LogDrain } from '#contract/observability/log-drain-shapes'
import { useSelfHosted } from '../../../session/organization/mode.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Table } from '../../../ui/lists/Table.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { Ago } from '../../../ui/text/Time.tsx'
import { exactTime } from '../../../ui/text/time.ts'
import { DrainPanel } from './DrainPanel.tsx'
import { destinationOf, destinations, type Destination } from './destinations.ts'
import { drainColumns, standingOf, type Deed } from './drain-columns.tsx'
import { drainsQuery, endpointsOf, useRemove, useSave, type Owner } from './queries.ts'
import './log-drains.css'

type Props = {
  owner: Owner
  /** Of the organization that pays. */
  slug: string
  plan: Organization['plan']
  target: Target
}
type Doing =
  | { deed: 'add'; destination: Destination; drain?: undefined }
  | { deed: Deed; drain: LogDrain; destination?: undefined }

/** /project/{ref}/settings/log-drains and /org/{slug}/audit-log-drains: where logs are sent besides these pages. */
export function DrainsPage({ owner, slug, plan, target }: Props) {
  const ofAudit = 'slug' in owner
  const isLocked = !hasFeature(plan.id, 'security.logDrain')
  const query = useQuery(drainsQuery(owner))
  const selfHosted = useSelfHosted()
  const denied = useDenials(target)
  const [doing, setDoing] = useState<Doing>()
  const close = () => setDoing(undefined)
  const turn = useSave(owner, ({ name, enabled }) =>
    toast.success(`${name} is switched ${enabled ? 'on' : 'off'}`),
  )
  const rows = query.data
  const { create, update, remove } = endpointsOf(owner)
  const planReason = isLocked ? 'Log drains are available on the Team plan and above' : undefined
  const full = rows && rows.length >= maxLogDrains
  const add = (
    <AddMenu
      reason={
        denied(create) ?? planReason ?? (full ? `There can be up to ${maxLogDrains}` : undefined)
      }
      onChoose={(destination) => setDoing({ deed: 'add', destination })}
    />
  )
  function act(deed: Deed, drain: LogDrain) {
    if (deed !== 'switch') return setDoing({ deed, drain })
    // What begins to cost something is said before.
    if (drain.enabled) turn.mutate({ token: drain.token, enabled: false }, { onError })
    else setDoing({ deed, drain })
  }
  const shown = doing?.deed === 'add' || doing?.deed === 'edit' ? doing : undefined
  const head = (
    <PageHead
      title={ofAudit ? 'Audit log drains' : 'Log drains'}
      help={
        ofAudit
          ? 'Send the audit log of this organization to other services.'
          : 'Send the logs of this project to other services, as they are written.'
      }
      actions={rows?.length === 0 && !isLocked ? undefined : add}
    />
  )
  if (isLocked && rows?.length === 0) return <Upsell head={head} slug={slug} plan={plan.name} />
  return (
    <Page>
      {head}
      <div className="sections">
        {isLocked && rows && (
          <Alert
            variant="warning"
            title={`The ${plan.name} plan has no log drains: these send nothing and cost nothing`}
            action={
              <Link className="btn" to="/org/$slug/billing" params={{ slug }}>
                See plans
              </Link>
            }
          >
            Their settings are kept. After an upgrade to Team, they send new entries again.
          </Alert>
        )}
        {rows?.map((drain) => (
          <Failure key={drain.token} drain={drain} isLocked={isLocked} />
        ))}
        <div className="card">
          <Table
            label={ofAudit ? 'Audit log drains' : 'Log drains'}
            columns={drainColumns({
              isLocked,
              why: (deed) => (deed === 'remove' ? denied(remove) : (denied(update) ?? planReason)),
              onDeed: act,
            })}
            rows={rows}
            keyOf={({ token }) => token}
            rowHeight={60}
            error={query.error}
            onRetry={() => void query.refetch()}
            empty={
              <EmptyState icon={Share2} title="No log drains yet" action={add}>
                A log drain sends each new entry to a destination of yours. While the destination
                cannot be reached, entries wait for up to 24 hours.
              </EmptyState>
            }
          />
        </div>
        {!selfHosted && <Costs plan={plan.id} slug={slug} ofAudit={ofAudit} />}
      </div>
      {shown && (
        <DrainPanel
          key={shown.drain?.token ?? shown.deed}
          owner={owner}
          price={selfHosted ? undefined : priceNote(plan.id, ofAudit)}
          destination={shown.destination ?? destinationOf(shown.drain.type)}
          drain={shown.drain}
          onClose={close}
        />
      )}
      {doing?.deed === 'remove' && (
        <RemoveDialog owner={owner} drain={doing.drain} onClose={close} />
      )}
      {doing?.deed === 'switch' && (
        <ConfirmDialog
          open
          danger={false}
          onClose={close}
          title={`Switch on ${doing.drain.name}?`}
          verb="Switch on"
          error={turn.error?.message}
          pending={turn.isPending}
          onConfirm={() =>
            turn.mutate({ token: doing.drain.token, enabled: true }, { onSuccess: close })
          }
        >
          <p>
            It sends what is written from now on.
            {!selfHosted && ' It is charged for the time in which it is switched on.'}
          </p>
        </ConfirmDialog>
      )}
    </Page>
  )
}

const onError = ({ message }: Error) => toast.error(message)

function AddMenu({
  reason,
  onChoose,
}: {
  reason: string | undefined
  onChoose: (destination: Destination) => void
}) {
  const label = 'Add log drain'
  if (reason !== undefined)
    return (
      <Button variant="primary" icon={Plus} disabledReason={reason}>
        {label}
      </Button>
    )
  return (
    <Menu
      label={label}
      align="end"
      trigger={
        <Button variant="primary" icon={Plus}>
          {label}
        </Button>
      }
    >
      {destinations.map((destination) => (
        <MenuItem key={destination.type} onSelect={() => onChoose(destination)}>
          {destination.title}
        </MenuItem>
      ))}
    </Menu>
  )
}

/** What organizations below Team see. */
function Upsell({ head, slug, plan }: { head: ReactNode; slug: string; plan: string }) {
  return (
    <Page>
      {head}
      <div className="card">
        <EmptyState
          icon={Share2}
          title="Log drains are available on the Team plan"
          action={
            <Link className="btn pri" to="/org/$slug/billing" params={{ slug }}>
              See plans
            </Link>
          }
        >
          This organization is on {plan}. A log drain sends entries to a webhook, Datadog, Loki,
          Amazon S3, Sentry, OpenTelemetry or Axiom.
        </EmptyState>
      </div>
    </Page>
  )
}

/** Why one does not work, as the other side says it. */
function Failure({ drain, isLocked }: { drain: LogDrain; isLocked: boolean }) {
  const { failing_since: since, last_error: error, next_attempt_at: next } = drain.state
  if (standingOf(drain, isLocked) !== 'failing' || since === null) return null
  return (
    <Alert variant="danger" title={`${drain.name} delivers nothing`}>
      <p>
        The first failure was <Ago at={since} />.{' '}
        {next !== null && `The next attempt is at ${exactTime(new Date(next))}. `}
        Entries wait for up to 24 hours.
      </p>
      {error !== null && <p className="mono drain-answer">{error}</p>}
    </Alert>
  )
}

function RemoveDialog({
  owner,
  drain,
  onClose,
}: {
  owner: Owner
  drain: LogDrain
  onClose: () => void
}) {
  const remove = useRemove(owner, () => {
    onClose()
    toast.success(`${drain.name} is deleted`)
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete ${drain.name}?`}
      verb="Delete log drain"
      error={remove.error?.message}
      pending={remove.isPending}
      onConfirm={() => remove.mutate(drain.token)}
    >
      <p>
        Nothing more is sent there, and entries that still wait are not sent. What has arrived there
        stays.
      </p>
    </ConfirmDialog>
  )
}

const month = formatRate(addOnVariant('log_drain_default')?.rate ?? 0)
const million = formatRate(logDrainRates.perMillionEvents)
const gigabyte = formatRate(logDrainRates.perGb)

/** Before somebody adds a drain. */
const priceNote = (plan: PlanId, ofAudit: boolean): string =>
  plan === 'enterprise'
    ? 'Your contract says what a log drain costs.'
    : `${month} a month for as long as it is switched on${ofAudit ? '' : `, plus ${million} per started million entries and ${gigabyte} per GB`}. It is charged with the next invoice.`

/** What drains cost, all of it. */
function Costs({ plan, slug, ofAudit }: { plan: PlanId; slug: string; ofAudit: boolean }) {
  if (plan === 'enterprise')
    return (
      <Card title="Costs">
        <p className="muted">{priceNote(plan, ofAudit)}</p>
      </Card>
    )
  return (
    <Card title="Costs">
      <div className="form-stack muted">
        <p>
          <b>{month} per drain per month</b>, for the time in which it is switched on. A drain that
          is switched off costs nothing.
        </p>
        {ofAudit ? (
          <p>Entries of the audit log are not charged.</p>
        ) : (
          <p>
            <b>{million} per started million entries</b> that all drains of the organization
            deliver, and <b>{gigabyte} per GB</b> that they send. The spend cap does not cover log
            drains.
          </p>
        )}
        <p>
          <Link className="link" to="/org/$slug/usage" params={{ slug }}>
            See usage
          </Link>
        </p>
      </div>
    </Card>
  )
}
