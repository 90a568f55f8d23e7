import { useQuery } from '@tanstack/react-query'
import type { queueTables } from '#contract/integrations/queues'
import { Alert } from '../../../ui/Alert.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { spread } from '../../../ui/grid/json-text.ts'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { bytesText } from '../../../ui/text/number.ts'
import { exactTime } from '../../../ui/text/time.ts'
import { StateBadge } from './message-columns.tsx'
import { MessageActions } from './MessageActions.tsx'
import { messageQuery } from './queries.ts'

type Props = {
  projectRef: string
  name: string
  id: string
  from: (typeof queueTables)[number]
  onClose: () => void
}

/** One message with all that is known of it. */
export function MessagePanel({ projectRef, name, id, from, onClose }: Props) {
  const { data, error, refetch } = useQuery(messageQuery(projectRef, name, { id, from }))
  return (
    <SidePanel
      open
      size="large"
      title={`Message ${id}`}
      onClose={onClose}
      footer={
        data && (
          <div className="queue-selected">
            <MessageActions
              projectRef={projectRef}
              name={name}
              ids={[id]}
              from={from}
              onDone={onClose}
            />
          </div>
        )
      }
    >
      {error && <ErrorNote what="The message" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton width="60%" />}
      {data && (
        <>
          <dl className="defs">
            <dt>State</dt>
            <dd>
              <StateBadge state={data.state} />
            </dd>
            <dt>Sent</dt>
            <dd>{exactTime(new Date(data.sent))}</dd>
            <dt>{data.state === 'archived' ? 'Archived' : 'Visible from'}</dt>
            <dd>{exactTime(new Date(data.at))}</dd>
            <dt>Reads</dt>
            <dd>{data.reads}</dd>
            <dt>Size</dt>
            <dd>{bytesText(data.bytes)}, as stored</dd>
          </dl>
          <div className="panel-part">
            <h3>Message</h3>
            {data.message === null ? (
              <Alert variant="info" title="This message is too large to be shown here">
                Read it in the SQL editor.
              </Alert>
            ) : (
              <CodeBlock code={spread(data.message)} language="js" what="message" />
            )}
          </div>
          {data.headers !== null && (
            <div className="panel-part">
              <h3>Headers</h3>
              <CodeBlock code={spread(data.headers)} language="js" what="headers" />
            </div>
          )}
        </>
      )}
    </SidePanel>
  )
}
