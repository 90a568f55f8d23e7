import { useState } from 'react'
import { alerts } from '#contract/operations/alerts'
import {
  conditionNames,
  conditions,
  maxAlertEmails,
  type Condition,
} from '#contract/operations/alerts'
import type { Output } from '#contract/endpoint'
import { useCall } from '../../../api/client.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { Form, SaveCancel } from '../../../ui/controls/Form.tsx'
import { TextArea, TextField } from '../../../ui/controls/TextField.tsx'
import { Card } from '../../../ui/Card.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { counted } from '../../../ui/text/number.ts'
import { SecretText } from '../../../ui/text/SecretText.tsx'

type Saved = Output<typeof alerts.settings>
type Props = {
  saved: Saved
  /** What cannot be looked at here, and why. */
  absent: readonly { condition: Condition; why: string }[]
  /** The secret of the webhook, while it may be seen. */
  secret: string | undefined
  onSecret: (secret: string) => void
}

const linesOf = (text: string) =>
  text
    .split(/[\s,]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Who is told of alerts, and of which. */
export function AlertSettings({ saved, absent, secret, onSecret }: Props) {
  const [emails, setEmails] = useState(saved.emails.join('\n'))
  const [url, setUrl] = useState(saved.webhook_url ?? '')
  const [muted, setMuted] = useState<readonly Condition[]>(saved.muted)
  const save = useCall(alerts.setSettings, {
    changes: [alerts.settings, alerts.list],
    onSuccess: ({ webhook_secret }) => {
      if (webhook_secret !== null) onSecret(webhook_secret)
      toast.success('Alert settings saved')
    },
  })
  const renew = useCall(alerts.newSecret, {
    onSuccess: ({ webhook_secret }) => onSecret(webhook_secret),
    onError: ({ message }) => toast.error('The secret was not changed', { description: message }),
  })
  const test = useCall(alerts.test, {
    onError: ({ message }) => toast.error('No test was sent', { description: message }),
  })

  const wanted = {
    emails: linesOf(emails),
    webhook_url: url.trim() === '' ? null : url.trim(),
    muted: [...muted],
  }
  const dirty =
    wanted.emails.join() !== saved.emails.join() ||
    wanted.webhook_url !== saved.webhook_url ||
    wanted.muted.toSorted().join() !== saved.muted.toSorted().join()
  const hasAddress = saved.emails.length > 0 || saved.webhook_url !== null
  const reset = () => {
    setEmails(saved.emails.join('\n'))
    setUrl(saved.webhook_url ?? '')
    setMuted(saved.muted)
    save.reset()
  }
  return (
    <Form error={save.error?.message} pending={save.isPending} onSubmit={() => save.mutate(wanted)}>
      <Card
        title="Notifications"
        footer={
          <>
            <Button
              size="form"
              busy={test.isPending}
              disabledReason={
                dirty
                  ? 'Save your changes first'
                  : !hasAddress && 'Save an email address or a webhook first'
              }
              onClick={() => test.mutate({})}
            >
              Send test
            </Button>
            <span className="grow" />
            <SaveCancel dirty={dirty} pending={save.isPending} onCancel={reset} />
          </>
        }
      >
        <div className="form-stack">
          <TextArea
            label="Email addresses"
            help={`One per line, at most ${maxAlertEmails}.`}
            value={emails}
            rows={3}
            onChange={(event) => setEmails(event.target.value)}
          />
          <TextField
            label="Webhook URL"
            help="Receives a signed POST request (Standard Webhooks) for each alert. It may be an address of your inner network."
            mono
            placeholder="https://example.com/alerts"
            value={url}
            onChange={(event) => setUrl(event.target.value)}
          />
          {saved.webhook_url !== null && (
            <div className="labelled">
              <span className="alert-secret-head">
                Signing secret
                <Button busy={renew.isPending} onClick={() => renew.mutate({})}>
                  New secret
                </Button>
              </span>
              {secret ? (
                <>
                  <SecretText secret={secret} what="signing secret" />
                  <span className="t12 muted">Copy it now. It is not shown again.</span>
                </>
              ) : (
                <span className="t12 muted">
                  It was shown when it was created. A new secret replaces it immediately.
                </span>
              )}
            </div>
          )}
          <Conditions absent={absent} muted={muted} onChange={setMuted} />
          {test.data && <TestResult result={test.data} />}
        </div>
      </Card>
    </Form>
  )
}

type ConditionsProps = Pick<Props, 'absent'> & {
  muted: readonly Condition[]
  onChange: (muted: readonly Condition[]) => void
}

function Conditions({ absent, muted, onChange }: ConditionsProps) {
  return (
    <fieldset className="alert-conditions">
      <legend className="label">Alerts to open</legend>
      {conditionNames.map((condition) => {
        const why = absent.find((one) => one.condition === condition)?.why
        return (
          <Checkbox
            key={condition}
            label={
              <>
                {conditionNamesShown[condition]}
                <span className="choice-help">{why ?? conditions[condition]}</span>
              </>
            }
            checked={why === undefined && !muted.includes(condition)}
            disabled={why !== undefined}
            onChange={({ target: { checked } }) =>
              onChange(checked ? muted.filter((one) => one !== condition) : [...muted, condition])
            }
          />
        )
      })}
    </fieldset>
  )
}

function TestResult({ result: { mails, webhook } }: { result: Output<typeof alerts.test> }) {
  const failed = webhook !== null && !webhook.ok
  const parts = [
    ...(mails > 0 ? [`${counted(mails, 'email')} queued.`] : []),
    ...(webhook?.ok ? ['The webhook accepted the test.'] : []),
    ...(failed ? [`The webhook did not accept the test. ${webhook.failure ?? ''}.`] : []),
  ]
  return (
    <Alert
      variant={failed ? 'danger' : 'success'}
      title={failed ? 'The test failed' : 'The test was sent'}
    >
      {parts.join(' ')}
    </Alert>
  )
}

/** What each kind of alert is called on the page. */
export const conditionNamesShown: Record<Condition, string> = {
  backup_failed: 'Backup failed',
  backup_late: 'Backup late',
  disk_short: 'Disk almost full',
  project_unhealthy: 'Project unhealthy',
  certificate_ending: 'Certificate expiring',
  round_failing: 'Recurring work failing',
  job_stuck: 'Job stuck',
  data_plane_lost: 'Program not reporting',
}
