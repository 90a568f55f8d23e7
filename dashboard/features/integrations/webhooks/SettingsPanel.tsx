import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { DatabaseTrigger } from '#contract/database/database-triggers'
import { migrations } from '#contract/database/migrations'
import type { pgMeta } from '#contract/database/pg-meta'
import { changeDelivery } from '#contract/ddl/webhook-settings'
import type { Output } from '#contract/endpoint'
import { hookLimits, webhookCalls, type Hook } from '#contract/integrations/webhook-calls'
import { rotationHours, webhooks } from '#contract/integrations/webhooks'
import { useCall } from '../../../api/client.ts'
import { useReview } from '../../../modules/objects/ReviewChange.tsx'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { FormPanel } from '../../../ui/floats/FormPanel.tsx'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { SecretText } from '../../../ui/text/SecretText.tsx'
import { readable } from './delivery-words.ts'
import { columnsQuery, ofCalls, previewQuery } from './queries.ts'

type Props = {
  projectRef: string
  hook: Hook
  /** The trigger that it is. */
  webhook: DatabaseTrigger
  onClose: () => void
}

const retries = [
  { value: '1', label: 'Off', detail: 'one attempt' },
  { value: '3', label: '3 attempts' },
  { value: '5', label: '5 attempts' },
  { value: '8', label: '8 attempts' },
  { value: '12', label: '12 attempts' },
  { value: '20', label: '20 attempts' },
]
const orders = [
  { value: 'none', label: 'None', detail: 'calls pass each other' },
  { value: 'columns', label: 'By key', detail: 'calls for the same row, one after the other' },
  { value: 'all', label: 'All', detail: 'every call waits for the one before' },
] as const
type Order = (typeof orders)[number]['value']

const isWhole = (text: string, most: number) =>
  /^\d{1,5}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= most
const named = (columns: string) =>
  columns
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

/** A column that is not there would be the same for every row: all calls would wait for each other. */
function columnsProblem(
  names: readonly string[],
  table: Output<typeof pgMeta.entity> | undefined,
): string | undefined {
  if (names.length === 0) return 'Enter a column'
  if (names.length > hookLimits.orderBy) return `Enter up to ${hookLimits.orderBy} columns`
  const missing = names.find((name) => !table?.columns.some((column) => column.name === name))
  return missing === undefined ? undefined : `The table has no column ${missing}`
}

/** How the calls of a webhook are made: tried again, in which order, how many at once, and signed. */
export function SettingsPanel({ projectRef, hook, webhook, onClose }: Props) {
  const { settings } = hook
  const denied = useDenials(useProject(projectRef))(migrations.change)
  const [attempts, setAttempts] = useState(String(settings.max_attempts))
  const [wait, setWait] = useState(String(settings.first_wait))
  const [concurrency, setConcurrency] = useState(String(settings.concurrency))
  const [order, setOrder] = useState<Order>(
    settings.order_by === null ? 'none' : settings.order_by.length > 0 ? 'columns' : 'all',
  )
  const [columns, setColumns] = useState(settings.order_by?.join(', ') ?? '')
  const [sent, setSent] = useState(false)
  const { data: table, error } = useQuery(columnsQuery(projectRef, hook.table_id))
  const review = useReview(projectRef, webhookCalls.hooks)
  const problems = {
    wait: isWhole(wait, hookLimits.firstWait)
      ? undefined
      : `Enter seconds from 1 to ${hookLimits.firstWait}`,
    concurrency: isWhole(concurrency, hookLimits.concurrency)
      ? undefined
      : `Enter a number from 1 to ${hookLimits.concurrency}`,
    columns: order === 'columns' ? columnsProblem(named(columns), table) : undefined,
  }
  const shown: Partial<typeof problems> = sent ? problems : {}
  const send = () => {
    setSent(true)
    if (Object.values(problems).some((problem) => problem !== undefined)) return
    const wanted = {
      max_attempts: Number(attempts),
      first_wait: Number(wait),
      concurrency: Number(concurrency),
      order_by: order === 'none' ? null : order === 'all' ? [] : named(columns),
    }
    review.ask({
      change: changeDelivery(webhook, wanted, settings),
      verb: 'Save settings',
      done: 'Delivery settings saved',
      onDone: onClose,
    })
  }
  const known = retries.some(({ value }) => value === attempts)
  // The dialog is beside the panel and not in it: submitting the one form must not submit the other.
  return (
    <>
      <FormPanel
        title={
          <>
            Delivery of <span className="mono">{hook.name}</span>
          </>
        }
        size="large"
        verb="Review SQL"
        error={error?.message}
        disabled={!table}
        reason={denied}
        onSubmit={send}
        onClose={onClose}
      >
        <div className="field-pair">
          <SelectField
            label="Retries"
            options={
              known ? retries : [{ value: attempts, label: `${attempts} attempts` }, ...retries]
            }
            help="A call that gets no answer of success is tried again. After the last attempt it is a dead letter, which you can replay."
            value={attempts}
            onChange={setAttempts}
          />
          <TextField
            label="First wait"
            mono
            inputMode="numeric"
            autoComplete="off"
            unit="s"
            help="Doubles with each attempt, give or take a quarter. A Retry-After of the receiver counts if it is longer."
            error={shown.wait}
            value={wait}
            onChange={(event) => setWait(event.target.value)}
          />
        </div>
        <div className="field-pair">
          <SelectField label="Order" options={orders} value={order} onChange={setOrder} />
          <TextField
            label="Calls at once"
            mono
            inputMode="numeric"
            autoComplete="off"
            error={shown.concurrency}
            value={concurrency}
            onChange={(event) => setConcurrency(event.target.value)}
          />
        </div>
        {order === 'columns' && (
          <TextField
            label="Key"
            mono
            autoComplete="off"
            spellCheck={false}
            help="Columns of the table, with commas between them. Calls with the same values wait for each other."
            error={shown.columns}
            value={columns}
            onChange={(event) => setColumns(event.target.value)}
          />
        )}
        <SigningSecret projectRef={projectRef} hook={hook} />
        <Preview projectRef={projectRef} table={hook.table_id} />
      </FormPanel>
      {review.dialog}
    </>
  )
}

function Preview({ projectRef, table }: { projectRef: string; table: number }) {
  const { data, error } = useQuery(previewQuery(projectRef, table))
  const body = data?.body
  return (
    <section className="webhook-part" aria-label="Payload">
      <h3>Payload</h3>
      {error && <p className="help">It cannot be shown: {error.message}</p>}
      {body === null && <p className="help">The table has no rows yet to show one with.</p>}
      {body !== null && body !== undefined && (
        <>
          <p className="help">What it sends when a row like this one is inserted.</p>
          <CodeBlock what="Payload" language="js" code={readable(body)} />
        </>
      )}
    </section>
  )
}

type SigningSecretProps = { projectRef: string; hook: Hook }

/** The secret that signs the calls of a webhook: made, shown once, rotated and removed. */
function SigningSecret({ projectRef, hook }: SigningSecretProps) {
  const denied = useDenials(useProject(projectRef))(webhooks.newSecret)
  const [asking, setAsking] = useState<'rotate' | 'remove'>()
  const of = { ref: projectRef, table_id: hook.table_id, name: hook.name }
  const done = { changes: ofCalls, onSuccess: () => setAsking(undefined) }
  const renew = useCall(webhooks.newSecret, done)
  const remove = useCall(webhooks.removeSecret, done)
  const error = renew.error ?? remove.error
  return (
    // A dialog that is answered here is a form of its own, and not the panel's to send.
    <section
      className="webhook-part"
      aria-label="Signature"
      onSubmit={(event) => event.stopPropagation()}
    >
      <h3>Signature</h3>
      <p className="help">
        {hook.signed
          ? 'Calls carry webhook-signature, by which a receiver knows that they come from this project.'
          : 'Calls are not signed: a receiver cannot tell who has sent them.'}
      </p>
      <p className="help">
        The platform keeps the secret outside the database, so it is not part of a migration and
        takes effect at once.
      </p>
      {renew.data && hook.signed && (
        <Alert variant="warning" title="Copy the secret now: it is not shown again">
          <SecretText secret={renew.data.secret} what="signing secret" />
        </Alert>
      )}
      {error && !asking && <Alert variant="danger" title={error.message} />}
      <div className="row">
        <Button
          icon={KeyRound}
          busy={renew.isPending}
          disabledReason={denied}
          onClick={() => (hook.signed ? setAsking('rotate') : renew.mutate(of))}
        >
          {hook.signed ? 'Rotate secret' : 'Create signing secret'}
        </Button>
        {hook.signed && (
          <Button variant="danger" disabledReason={denied} onClick={() => setAsking('remove')}>
            Remove secret
          </Button>
        )}
      </div>
      <ConfirmDialog
        open={asking === 'rotate'}
        onClose={() => setAsking(undefined)}
        title="Rotate the signing secret"
        verb="Rotate secret"
        error={renew.error?.message}
        pending={renew.isPending}
        onConfirm={() => renew.mutate(of)}
      >
        <p>
          For {rotationHours} hours calls are signed with both secrets, so that you can change the
          receiver. After that only the new one counts.
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === 'remove'}
        onClose={() => setAsking(undefined)}
        title="Remove the signing secret"
        verb="Remove secret"
        error={remove.error?.message}
        pending={remove.isPending}
        onConfirm={() => remove.mutate(of)}
      >
        <p>Calls are no longer signed, and a receiver that checks signatures refuses them.</p>
      </ConfirmDialog>
    </section>
  )
}
