import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dataApi, namesIn } from '#contract/data-api/data-api'
import { queues } from '#contract/integrations/queues'
import { call, forget, useChange } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { callDatabase } from '../../../session/project/database.ts'
import { useProject } from '../../../session/project/project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Badge } from '../../../ui/text/Badge.tsx'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { exposedQuery, ofExposed } from './queries.ts'

const schema = 'pgmq_public'
const example = `await supabase.schema('pgmq_public').rpc('send', {
  queue_name: 'jobs',
  message: { to: 'ada@example.com' },
  sleep_seconds: 0,
})`

type Props = { projectRef: string; functions: boolean }

/** Whether apps call queues over the data API: its functions are in the database, and their schema is among those that it exposes. */
export function ExposeQueues({ projectRef, functions }: Props) {
  const { data: config, error } = useQuery(exposedQuery(projectRef))
  const denied = useDenials(useProject(projectRef))
  const [asking, setAsking] = useState(false)
  const names = namesIn(config?.db_schema ?? '')
  const on = functions && names.includes(schema)
  const why =
    denied(queues.functions) ??
    denied(dataApi.updateConfig) ??
    (config && names.length === 0 && !on ? 'The data API is disabled' : undefined)
  /** What is exposed has to be there: functions come first, and go last. Each step can be done again. */
  const change = useChange(
    async (wanted: boolean) => {
      const make = (there: boolean) =>
        callDatabase(queues.functions, { ref: projectRef, functions: there })
      const others = names.filter((name) => name !== schema)
      const exposed = (wanted ? [...others, schema] : others).join(', ')
      if (wanted) await make(true)
      if (names.includes(schema) !== wanted)
        await call(dataApi.updateConfig, { ref: projectRef, db_schema: exposed })
      if (!wanted) await make(false)
    },
    {
      changes: ofExposed,
      onSuccess: (_, wanted) => {
        toast.success(wanted ? 'Queues are exposed' : 'Queues are no longer exposed')
        setAsking(false)
      },
      // The step before the one that failed is done.
      onError: () => forget(...ofExposed),
    },
  )
  const { mutate: start, isPending: pending, error: failure } = change
  return (
    <>
      <Card padded={false}>
        <div className="set-row">
          <div className="grow">
            <b>Data API</b>{' '}
            <Badge tone={on ? 'success' : 'neutral'}>{on ? 'Exposed' : 'Off'}</Badge>
            <p>
              {on
                ? 'Apps call the functions in pgmq_public. Each queue is open to the roles that its settings name.'
                : 'Let apps send and read messages through functions in the schema pgmq_public. Until you grant it in the settings of a queue, no role can use that queue.'}
            </p>
          </div>
          <Button
            variant={on ? 'secondary' : 'primary'}
            busy={pending}
            disabledReason={why}
            onClick={() => (on ? setAsking(true) : start(true))}
          >
            {on ? 'Stop exposing' : 'Expose queues'}
          </Button>
        </div>
        {(failure ?? error) && !asking && (
          <div className="pad queue-below">
            <Alert variant="danger" title={(failure ?? error)?.message} />
          </div>
        )}
        {on && (
          <div className="pad queue-below">
            <CodeBlock code={example} language="js" what="example" />
          </div>
        )}
      </Card>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Stop exposing queues"
        verb="Stop exposing"
        error={failure?.message}
        pending={pending}
        onConfirm={() => start(false)}
      >
        <p>
          Apps can no longer send or read messages over the data API, whatever they are granted. The
          queues, their messages and grants stay.
        </p>
      </ConfirmDialog>
    </>
  )
}
