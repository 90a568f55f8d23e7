import type { RlsCommand, RlsResult, RlsRow } from '#contract/database/rls-test'
import { Alert } from '../../../ui/Alert.tsx'
import { inactiveWords, outcomeWord } from './rls-words.ts'

type Props = {
  result: RlsResult
  rows: readonly RlsRow[]
  command: RlsCommand
  role: string
  /** There are rows beyond these. */
  more: boolean
}

/** What came of it as a whole, and what stands in the way of all rows. */
export function RlsSummary({ result, rows, command, role, more }: Props) {
  const { inactive, missing, policies, unknown_columns, triggers } = result
  const failed = policies.filter(({ error }) => error !== null)
  return (
    <>
      {missing.length > 0 && (
        <Alert variant="danger" title={`The role ${role} lacks a privilege, so the command fails`}>
          {missing.join(', ')}
        </Alert>
      )}
      {inactive && (
        <Alert
          variant={inactive === 'off' ? 'warning' : 'info'}
          title={inactiveWords(inactive, role)}
        />
      )}
      {failed.map(({ id, name, error }) => (
        <Alert key={id} variant="warning" title={`The policy “${name}” failed`}>
          {error}
        </Alert>
      ))}
      {triggers.length > 0 && (
        <p className="help">
          Before the check, {triggers.length === 1 ? 'the trigger' : 'the triggers'}{' '}
          <span className="mono">{triggers.join(', ')}</span> may change the row. This test does not
          show that.
        </p>
      )}
      {unknown_columns.length > 0 && (
        <p className="help">
          <span className="mono">{unknown_columns.join(', ')}</span> shows NULL: its value would use
          up a number of a sequence.
        </p>
      )}
      {command !== 'INSERT' && <output className="med">{counted(command, rows, more)}</output>}
    </>
  )
}

function counted(command: RlsCommand, rows: readonly RlsRow[], more: boolean): string {
  const reached = rows.filter(({ outcome }) => outcome === 'allowed').length
  const { word } = outcomeWord(command, 'allowed')
  const refused = rows.filter(({ outcome }) => outcome === 'refused').length
  const all = `${rows.length}${more ? ' first' : ''} ${rows.length === 1 ? 'row' : 'rows'}`
  const tail = refused > 0 ? `, ${refused} refused: a refusal fails the whole command` : ''
  return `${word}: ${reached} of ${all}${tail}`
}
