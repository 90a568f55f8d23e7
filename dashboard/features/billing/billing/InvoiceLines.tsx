import type { InvoiceLine } from '#contract/billing/billing-shapes'
import type { z } from 'zod'
import { formatCents } from '#contract/billing/money'
import { numberText } from '../../../ui/text/number.ts'

type Line = z.infer<typeof InvoiceLine>

const how = ({ unit, quantity }: Line) => (unit === 'hour' ? `${numberText(quantity, 1)} h` : '')

type Props = {
  lines: readonly Line[]
  label: string
  /** Cents of credit that it uses up. */
  credit?: number
}

/** What an invoice, or a change of plan, is made of. */
export function InvoiceLines({ lines, label, credit = 0 }: Props) {
  return (
    <table className="tbl dense mini" aria-label={label}>
      <tbody>
        {lines.map((line, index) => (
          // Lines have no names of their own and never change their places.
          // oxlint-disable-next-line react/no-array-index-key
          <tr key={index}>
            <td>
              {line.description} <span className="faint">{how(line)}</span>
            </td>
            <td className="num">{formatCents(line.amount)}</td>
          </tr>
        ))}
        {credit > 0 && (
          <tr>
            <td>Credits</td>
            <td className="num">{formatCents(-credit)}</td>
          </tr>
        )}
        {lines.length === 0 && (
          <tr>
            <td className="muted">Nothing is charged.</td>
            <td className="num">{formatCents(0)}</td>
          </tr>
        )}
      </tbody>
    </table>
  )
}
