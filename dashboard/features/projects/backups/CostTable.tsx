import type { ComputeSizeId } from '#contract/projects/compute-sizes'
import { formatCents } from '#contract/billing/money'
import type { PlanId } from '#contract/billing/plans'
import { costOf, totalText } from './cost.ts'

type Props = { plan: PlanId; size: ComputeSizeId; diskGb: number }

/** What the new project costs, part by part. */
export function CostTable({ plan, size, diskGb }: Props) {
  const lines = costOf(plan, size, diskGb)
  return (
    <table className="tbl dense mini backup-cost" aria-label="Cost of the new project">
      <thead>
        <tr>
          <th scope="col">Part</th>
          <th scope="col">Price</th>
          <th scope="col" className="num">
            A month, about
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ name, what, price, month }) => (
          <tr key={name}>
            <td>
              <span className="two-lines">
                {name}
                <span className="muted">{what}</span>
              </span>
            </td>
            <td>{price}</td>
            <td className="num">{formatCents(month)}</td>
          </tr>
        ))}
        <tr>
          <td colSpan={2}>Together</td>
          <td className="num">
            <b>{totalText(lines)}</b>
          </td>
        </tr>
      </tbody>
    </table>
  )
}
