import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import type { CallError } from '../../../../api/client.ts'
import { refusedBy, type Refusal } from './refusal.ts'
import { tableProblem } from '../table-problem.ts'

type Props = { entity: EntityDetail; error: CallError; refusal: Refusal | undefined }

/** Why nothing was saved: which row and which of its cells, and all that Postgres says about it. */
export function ChangesProblem({ entity, error, refusal }: Props) {
  const { detail, hint } = refusedBy(error)
  const place = refusal && [refusal.name, ...refusal.columns].join(', ')
  return (
    <div className="changes-problem" role="alert">
      <p>
        {place !== undefined && <b>{place}: </b>}
        {tableProblem(error, entity)}
      </p>
      {detail !== undefined && <p className="muted">Detail: {detail}</p>}
      {hint !== undefined && <p className="muted">Hint: {hint}</p>}
    </div>
  )
}
