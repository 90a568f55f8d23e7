import { ChevronRight, Flame } from 'lucide-react'
import { useState } from 'react'
import { cx } from '../../../../ui/cx.ts'
import { Icon } from '../../../../ui/Icon.tsx'
import { durationText } from './result-words.ts'
import type { Plan, PlanNode } from './plan.ts'
import { numberText } from '../../../../ui/text/number.ts'

type Props = { plan: Plan; /** It ran, and what it did was taken back. */ isRolledBack: boolean }

/** A plan as a tree with what each step costs, the expensive ones marked. */
export function PlanView({ plan, isRolledBack }: Props) {
  const { planningMs, executionMs, cost, nodes, triggers } = plan
  return (
    <div className="sql-plan scroll">
      <p className="t12 muted sql-plan-sum">
        {executionMs === undefined ? (
          <>This is what Postgres would do; nothing ran. Estimated cost {figureText(cost)}.</>
        ) : (
          <>
            Ran in {durationText(executionMs)}, planned in {durationText(planningMs ?? 0)}.
            {isRolledBack && ' Whatever it changed was rolled back.'}
          </>
        )}
      </p>
      <table aria-label="Plan">
        <thead>
          <tr>
            <th>Step</th>
            <th className="sql-plan-share">
              {executionMs === undefined ? 'Own cost' : 'Own time'}
            </th>
            <th className="num">Rows expected</th>
            {executionMs !== undefined && <th className="num">Rows seen</th>}
            <th className="num">Cost</th>
          </tr>
        </thead>
        <tbody>
          {nodes.map((node) => (
            <Step key={node.id} node={node} ran={executionMs !== undefined} />
          ))}
        </tbody>
      </table>
      {triggers.map(({ name, ms, calls }) => (
        <p key={name} className="t12 muted">
          Trigger <span className="mono">{name}</span>: {numberText(calls)} calls,{' '}
          {durationText(ms)}
        </p>
      ))}
    </div>
  )
}

function Step({ node, ran }: { node: PlanNode; ran: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const { depth, type, about, share, isExpensive, misjudged, details } = node
  return (
    <>
      <tr className={cx(isExpensive && 'is-expensive')}>
        <th scope="row">
          <button
            type="button"
            className="sql-plan-step"
            style={{ paddingLeft: `${depth * 18}px` }}
            aria-expanded={isOpen}
            disabled={details.length === 0}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon of={ChevronRight} size="s" className={cx('sql-plan-turn', isOpen && 'on')} />
            <span className="med">{type}</span>
            {about && <span className="mono muted ell">{about}</span>}
            {isExpensive && (
              <span className="st tone-warning">
                <Icon of={Flame} size="s" />
                <span className="sr">expensive</span>
              </span>
            )}
          </button>
        </th>
        <td className="sql-plan-share">
          <span className="sql-plan-bar" style={{ width: `${Math.round(share * 100)}%` }} />
          <span className="tn">
            {Math.round(share * 100)}%
            <span className="faint"> {ran ? timeText(node) : figureText(node.ownCost)}</span>
          </span>
        </td>
        <td className="num tn">{figureText(node.rows)}</td>
        {ran && (
          <td className={cx('num tn', misjudged !== undefined && 'tone-warning')}>
            {node.loops === 0 ? 'never ran' : figureText((node.actualRows ?? 0) * node.loops)}
            {misjudged && <span className="t12"> {figureText(misjudged)}× off</span>}
          </td>
        )}
        <td className="num tn muted">{figureText(node.cost)}</td>
      </tr>
      {isOpen && (
        <tr className="sql-plan-more">
          <td colSpan={ran ? 5 : 4} style={{ paddingLeft: `${depth * 18 + 30}px` }}>
            <dl>
              {details.map(([name, value]) => (
                <div key={name}>
                  <dt className="muted">{name}</dt>
                  <dd className="mono">{value}</dd>
                </div>
              ))}
              {node.loops > 1 && (
                <div>
                  <dt className="muted">Loops</dt>
                  <dd className="mono">{figureText(node.loops)}</dd>
                </div>
              )}
            </dl>
          </td>
        </tr>
      )}
    </>
  )
}

const timeText = ({ ownMs }: PlanNode) => (ownMs === undefined ? '' : durationText(ownMs))
const figureText = (value: number) => numberText(value, value < 10 ? 2 : 0)
