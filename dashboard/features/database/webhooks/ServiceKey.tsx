import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { apiKeys } from '#contract/projects/api-keys'
import { inProject } from '#contract/permissions'
import { call, messageOf } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/use-project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { toast } from '../../../ui/floats/toast.ts'

type Props = { projectRef: string; onKey: (key: string) => void }

const needs = inProject('read:Read', 'service_api_keys.service_role_key')

/** For a function that takes only requests with a token of the project: adds one, if somebody wants that. */
export function ServiceKey({ projectRef, onKey }: Props) {
  const why = useDenials(useProject(projectRef))
  const [reading, setReading] = useState(false)

  async function add() {
    setReading(true)
    try {
      // Read for this only and kept nowhere else.
      const key = (await call(apiKeys.list, { ref: projectRef })).find(
        ({ id }) => id === 'service_role',
      )
      if (key) onKey(key.api_key)
      else toast.error('The legacy keys of this project are disabled: there is no such key')
    } catch (error) {
      toast.error(`The key could not be read: ${messageOf(error)}`)
    }
    setReading(false)
  }

  return (
    <Alert variant="warning" title="This function requires a token, and the webhook sends none">
      <div className="stack">
        <p>
          Without one, its calls return 401. Let the function accept requests without a token (on
          its Details page), or let the webhook send the service key. That key passes every policy.
          It is stored in the trigger definition and the recorded migration, where anyone who can
          read the database’s catalog or its migrations can read it.
        </p>
        <div>
          <Button
            icon={KeyRound}
            busy={reading}
            disabledReason={why({ needs })}
            onClick={() => void add()}
          >
            Send the service key
          </Button>
        </div>
      </div>
    </Alert>
  )
}
