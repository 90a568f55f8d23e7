import { useQuery } from '@tanstack/react-query'
import { Archive, Clock, FolderInput, RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { queues, longestDelay, type queueTables } from '#contract/integrations/queues'
import type { Endpoint } from '#contract/endpoint'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useDatabaseCall } from '../../../session/project/database.ts'
import { useProject } from '../../../session/project/project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { counted } from '../../../ui/text/number.ts'
import { ofMessageLists, queuesQuery } from './queries.ts'

type Props = {
  projectRef: string
  name: string
  ids: string[]
  from: (typeof queueTables)[number]
  /** The messages are where they were no longer. */
  onDone: () => void
}

/** What a call about messages changes, and what follows. */
type Done = { changes: readonly Endpoint[]; onSuccess: (answer: { changed: number }) => void }

/** What is done with some messages, in a list or alone. */
export function MessageActions({ projectRef, name, ids, from, onDone }: Props) {
  const denied = useDenials(useProject(projectRef))
  const [asking, setAsking] = useState<'postpone' | 'move' | 'delete'>()
  const done = (verb: string): Done => ({
    changes: ofMessageLists,
    onSuccess: ({ changed }) => {
      setAsking(undefined)
      onDone()
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
      {asking === 'postpone' && <PostponeDialog of={of} onClose={close} done={done('postponed')} />}
      {asking === 'move' && <MoveDialog of={of} onClose={close} done={done('moved')} />}
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

type MoveDialogProps = {
  of: { ref: string; name: string; ids: string[] }
  onClose: () => void
  done: Done
}

/** Chooses the queue that messages go to. */
function MoveDialog({ of, onClose, done }: MoveDialogProps) {
  const { data, error } = useQuery(queuesQuery(of.ref))
  const [to, setTo] = useState<string>()
  const move = useDatabaseCall(queues.move, done)
  const others = (data?.queues ?? []).filter(
    ({ name, table_id }) => name !== of.name && table_id !== null,
  )
  return (
    <FormDialog
      title={`Move ${counted(of.ids.length, 'message')}`}
      verb="Move"
      disabled={to === undefined}
      pending={move.isPending}
      onSubmit={() => to !== undefined && move.mutate({ ...of, to })}
      onClose={onClose}
    >
      <SelectField
        label="Queue"
        placeholder={data && others.length === 0 ? 'There is no other queue' : 'Choose a queue'}
        options={others.map(({ name }) => ({ value: name, label: name }))}
        value={to}
        help="They are sent there again with their headers, and get new IDs."
        error={move.error?.message ?? error?.message}
        onChange={setTo}
      />
    </FormDialog>
  )
}

type PostponeDialogProps = {
  of: { ref: string; name: string; ids: string[] }
  onClose: () => void
  done: Done
}

/** Says from when on messages can be read. */
function PostponeDialog({ of, onClose, done }: PostponeDialogProps) {
  const [seconds, setSeconds] = useState('3600')
  const postpone = useDatabaseCall(queues.postpone, done)
  const problem = delayProblem(seconds, longestDelay)
  return (
    <FormDialog
      title={`Postpone ${counted(of.ids.length, 'message')}`}
      verb="Postpone"
      disabled={problem !== undefined}
      pending={postpone.isPending}
      onSubmit={() => postpone.mutate({ ...of, seconds: Number(seconds) })}
      onClose={onClose}
    >
      <TextField
        label="Invisible for"
        inputMode="numeric"
        autoComplete="off"
        unit="seconds"
        help="From now on. With 0 a worker can read it at once."
        error={problem ?? postpone.error?.message}
        value={seconds}
        onChange={(event) => setSeconds(event.target.value)}
      />
    </FormDialog>
  )
}

/** What is wrong with a number of seconds as somebody types it; undefined where nothing is. */
export function delayProblem(text: string, longest: number): string | undefined {
  if (!/^\s*\d{1,12}\s*$/.test(text)) return 'Enter a whole number of seconds'
  return Number(text) > longest ? 'Enter at most ten years' : undefined
}
