import {
  needsRestart,
  resizeCoolDownMinutes,
  type Compute,
} from '#contract/projects/compute-resize'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { timeText } from '../../../ui/text/number.ts'
import { differencesOf, type SizeCard } from './sizes.ts'

type Props = {
  before: SizeCard
  after: SizeCard
  last: Compute['last_resize']
  error: string | undefined
  pending: boolean
  onConfirm: () => void
  onClose: () => void
}

/** What a change of the size costs and does, before it is made. */
export function ReviewResize({ before, after, last, error, pending, onConfirm, onClose }: Props) {
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Change compute size"
      verb={`Change to ${after.label}`}
      danger={false}
      error={error}
      pending={pending}
      onConfirm={onConfirm}
    >
      <table className="resize-diff" aria-label="What changes">
        <thead>
          <tr>
            <th scope="col">
              <span className="sr">What</span>
            </th>
            <th scope="col">Now</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {differencesOf(before, after).map(({ name, before: was, after: will }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className="muted">{was}</td>
              <td>{will}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        {needsRestart(before.id, after.id)
          ? `The database restarts once: open connections end, and new ones are accepted in a moment.${lastText(last)} If it does not start with the new size, it goes back to ${before.label}.`
          : 'The database does not restart: both sizes have the same resources.'}
      </p>
      <p className="muted">
        The new price applies by the hour, from when the database has the new size. You can change
        the size again {resizeCoolDownMinutes} minutes later.
      </p>
    </ConfirmDialog>
  )
}

const lastText = (last: Compute['last_resize']) =>
  last?.down_ms ? ` The last change took ${timeText(last.down_ms)}.` : ''
