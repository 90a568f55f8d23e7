import { Archive, Clock, FolderInput, RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { queues, type queueTables } from '#contract/integrations/queues'
import type { Endpoint } from '#contract/endpoint'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useDatabaseCall } from '../../../session/project/database.ts'
import { useProject } from '../../../session/project/project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { counted } from '../../../ui/text/number.ts'
import { MoveDialog } from './MoveDialog.tsx'
import { PostponeDialog } from './PostponeDialog.tsx'
import { forgetMessages } from './queries.ts'

type Props = {
  projectRef: string
  name: string
  ids: string[]
  from: (typeof queueTables)[number]
  /** The messages are where they were no longer. */
  onDone: () => void
}

/** What is done with some messages, in a list or alone. */
export function MessageActions({ projectRef, name, ids, from, onDone }: Props) {
  const denied = useDenials(useProject(projectRef))
  const [asking, setAsking] = useState<'postpone' | 'move' | 'delete'>()
  const done = (verb: string) => ({
    onSuccess: async ({ changed }: { changed: number }) => {
      setAsking(undefined)
      onDone()
      await forgetMessages()
      toast.success(doneText(changed, ids.length, verb))
    },
  })
  const failed = { onError: ({ message }: Error) => toast.error(message) }
  const archive = useDatabaseCall(queues.archive, { ...done('archived'), ...failed })
  const restore = useDatabaseCall(queues.restore, { ...done('sent again'), ...failed })
  const remove = useDatabaseCall(queues.remove, done('deleted'))
  const of = { ref: projectRef, name, ids }
  const button = (endpoint: Endpoint) => ({ disabledReason: denied(endpoint) })
  const many = counted(ids.length, 'message')
  const close = () => setAsking(undefined)
  return (
    <>
      {from === 'queue' ? (
        <>
          <Button icon={Clock} {...button(queues.postpone)} onClick={() => setAsking('postpone')}>
            Postpone
          </Button>
          <Button
            icon={Archive}
            busy={archive.isPending}
            {...button(queues.archive)}
            onClick={() => archive.mutate(of)}
          >
            Archive
          </Button>
          <Button icon={FolderInput} {...button(queues.move)} onClick={() => setAsking('move')}>
            Move
          </Button>
        </>
      ) : (
        <Button
          icon={RotateCcw}
          busy={restore.isPending}
          {...button(queues.restore)}
          onClick={() => restore.mutate(of)}
        >
          Send again
        </Button>
      )}
      <Button
        variant="danger-quiet"
        icon={Trash2}
        {...button(queues.remove)}
        onClick={() => setAsking('delete')}
      >
        Delete
      </Button>
      {asking === 'postpone' && (
        <PostponeDialog of={of} onClose={close} onDone={done('postponed').onSuccess} />
      )}
      {asking === 'move' && <MoveDialog of={of} onClose={close} onDone={done('moved').onSuccess} />}
      <ConfirmDialog
        open={asking === 'delete'}
        onClose={close}
        title={`Delete ${many}`}
        verb="Delete"
        error={remove.error?.message}
        pending={remove.isPending}
        onConfirm={() => remove.mutate({ ...of, from })}
      >
        <p>
          {ids.length === 1 ? 'The message is' : 'The messages are'} deleted from the {from} without
          being processed. This cannot be undone.
        </p>
      </ConfirmDialog>
    </>
  )
}

/** Workers may have been faster. */
const doneText = (changed: number, asked: number, verb: string): string =>
  changed === asked
    ? `${counted(changed, 'message')} ${verb}`
    : `${changed} of ${counted(asked, 'message')} ${verb}: the others are no longer there`
