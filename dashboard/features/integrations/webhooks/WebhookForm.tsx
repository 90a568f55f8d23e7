import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { databaseTriggers, type DatabaseTrigger } from '#contract/database/database-triggers'
import { webhookCalls } from '#contract/integrations/webhook-calls'
import { changeTrigger, createTrigger } from '#contract/ddl/triggers'
import { triggersQuery } from '../../../modules/objects/lists.ts'
import { ObjectForm, panelTitle, panelVerb } from '../../../modules/objects/ObjectForm.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { draftOf, newWebhook, specOf, suggestedName, toldBy, problemsOf } from './webhook-draft.ts'
import { WebhookFields } from './WebhookFields.tsx'
import { WebhookTarget } from './WebhookTarget.tsx'

/** What tells of webhooks, and is old when one has changed. */
export const ofWebhooks = [databaseTriggers.list, webhookCalls.hooks]

type Props = {
  projectRef: string
  schema: string
  /** The project's address, below which its functions are. */
  endpoint: string
  /** The one that is changed. */
  found?: DatabaseTrigger
  onClose: () => void
}

/** Makes a webhook, or changes one. */
export function WebhookForm({ projectRef, schema, endpoint, found, onClose }: Props) {
  const { data: triggers = [] } = useQuery(triggersQuery(projectRef, schema))
  const [draft, setDraft] = useState(() => (found ? draftOf(found, endpoint) : newWebhook(schema)))
  // A name that somebody has typed is theirs; before that it follows the table.
  const [named, setNamed] = useState(found !== undefined)
  const spec = specOf(draft, endpoint, found)
  const change = found ? changeTrigger(found, spec) : createTrigger(spec)
  const unread = found ? toldBy(found.function_args).unread : []
  const takenIn = (table: string) =>
    triggers.filter((one) => one.table === table && one.id !== found?.id).map(({ name }) => name)
  const fields = {
    projectRef,
    draft,
    change: (part: Partial<typeof draft>) => setDraft({ ...draft, ...part }),
  }
  return (
    <ObjectForm
      projectRef={projectRef}
      size="xlarge"
      title={panelTitle('webhook', found?.name)}
      review="Review SQL"
      asked={
        change && {
          change,
          verb: panelVerb('webhook', found !== undefined),
          done: `${spec.name} is ${found ? 'changed' : 'created'}`,
          children: carriesKey(draft.headers) && <KeyWarning />,
        }
      }
      problems={problemsOf(draft, takenIn(draft.table))}
      forgets={ofWebhooks}
      onClose={onClose}
    >
      {(shown) => (
        <>
          {unread.length > 0 && (
            <Alert variant="warning" title={`Cannot read its ${unread.join(', ')}`}>
              They are not in the format of this form. What you save here replaces them.
            </Alert>
          )}
          <WebhookFields
            {...fields}
            problems={shown}
            found={found}
            onName={(name) => {
              setNamed(true)
              fields.change({ name })
            }}
            onTable={(table) =>
              fields.change({
                table,
                ...(named ? {} : { name: suggestedName(table, takenIn(table)) }),
              })
            }
          />
          <WebhookTarget {...fields} problems={shown} />
        </>
      )}
    </ObjectForm>
  )
}

const carriesKey = (headers: readonly { name: string }[]) =>
  headers.some(({ name }) => /^(?:proxy-)?authorization$|key|token|secret/i.test(name.trim()))

const KeyWarning = () => (
  <Alert variant="warning" title="This SQL contains a key">
    Anyone who can read the database’s catalog or its migrations can read it there.
  </Alert>
)
