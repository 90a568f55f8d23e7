import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Undo2 } from 'lucide-react'
import {
  webhookCalls,
  type DeliveryAttempt,
  type DeliveryDetails as Details,
} from '#contract/integrations/webhook-calls'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useDatabaseCall } from '../../../session/project/database.ts'
import { useProject } from '../../../session/project/project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { isSecretHeader, outcomeOf, readable, stateOf } from './delivery-words.ts'
import { deliveryQuery, ofCalls } from './queries.ts'

type Props = { projectRef: string; id: string; onBack: () => void }

/** One call: what was sent, and what came back each time. */
export function DeliveryDetails({ projectRef, id, onBack }: Props) {
  const { data, error, refetch } = useQuery(deliveryQuery(projectRef, id))
  const denied = useDenials(useProject(projectRef))
  const replay = useDatabaseCall(webhookCalls.replay, {
    changes: ofCalls,
    onSuccess: () => {
      toast.success('The call is made again')
    },
    onError: ({ message }) => toast.error(message),
  })
  const waits = data?.state === 'waiting' ? 'It waits already' : undefined
  return (
    <div className="webhook-calls">
      <div className="webhook-calls-head">
        <Button icon={ArrowLeft} onClick={onBack}>
          All calls
        </Button>
        <Button
          icon={Undo2}
          busy={replay.isPending}
          disabledReason={denied(webhookCalls.replay) ?? waits}
          onClick={() => replay.mutate({ ref: projectRef, id })}
        >
          Replay
        </Button>
      </div>
      {error && !data && <ErrorNote what="The call" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton width="60%" />}
      {data && <Request call={data} />}
      {data && (
        <section aria-label="Attempts">
          <h3>Attempts</h3>
          {data.tries.length === 0 && <p className="help">It has not been sent yet.</p>}
          <ol>
            {data.tries.map((one) => (
              <Attempt key={one.attempt} attempt={one} />
            ))}
          </ol>
        </section>
      )}
    </div>
  )
}

function Request({ call }: { call: Details }) {
  const { tone, word } = stateOf(call)
  const headers = Object.entries(call.headers)
  return (
    <section aria-label="Request" className="stack">
      <div className="row">
        <Badge tone={tone}>{word}</Badge>
        <span className="muted">
          requested <Time at={call.created_at} />
        </span>
        {call.due_at !== null && call.attempts > 0 && (
          <span className="muted">
            next attempt <Time at={call.due_at} />
          </span>
        )}
      </div>
      <CopyText label={call.method} text={call.url} what="the address" />
      <CopyText label="webhook-id" text={call.webhook_id} what="the id" />
      {headers.length > 0 && (
        <CodeBlock
          what="Headers of the request"
          language="text"
          code={headers.map(([name, value]) => `${name}: ${shownHeader(name, value)}`).join('\n')}
        />
      )}
      {call.body !== null && (
        <CodeBlock what="Body of the request" language="js" code={readable(call.body)} />
      )}
    </section>
  )
}

const shownHeader = (name: string, value: unknown) =>
  isSecretHeader(name) ? '•'.repeat(12) : typeof value === 'string' ? value : JSON.stringify(value)

function Attempt({ attempt: one }: { attempt: DeliveryAttempt }) {
  const { tone, word } = outcomeOf(one)
  const headers = Object.entries(one.headers ?? {})
  return (
    <li>
      <div className="row">
        <b>{one.attempt}</b>
        <Badge tone={tone}>{word}</Badge>
        <span className="muted">
          <Time at={one.started_at} /> · {one.duration_ms} ms
        </span>
      </div>
      {one.error_msg !== null && <p className="webhook-error">{one.error_msg}</p>}
      {one.status_code !== null && (
        <details>
          <summary>Response</summary>
          <CodeBlock
            what={`Response of attempt ${one.attempt}`}
            language="text"
            code={[
              ...headers.map(([name, value]) => `${name}: ${value}`),
              '',
              one.content ?? '',
            ].join('\n')}
          />
        </details>
      )}
    </li>
  )
}
