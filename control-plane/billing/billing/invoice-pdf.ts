import type { Readable } from 'node:stream'
import PDFDocument from 'pdfkit'
import { formatCents, formatRate } from '#contract/billing/money'
import type { BillTo } from '../../platform-database/tables-organizations.ts'
import type { InvoiceRow } from './invoice-store.ts'
import { inStandardFont } from './invoice-text.ts'
import type { Line } from './lines.ts'

const units: Record<Line['unit'], string> = { hour: ' h', gigabyte: ' GB', month: '', item: '' }

export type InvoicePaper = {
  invoice: InvoiceRow
  lines: readonly Line[]
  /** Who sends it: name and address, a line each. */
  sender: string
}

const left = 56
const right = 539
const ink = '#1c1c1c'
const faint = '#707070'
const rule = '#dcdcdc'
const columns = { quantity: 330, price: 400, amount: 470 } as const
const pageEnd = 740

const day = (date: Date | null) =>
  date === null
    ? ''
    : date.toLocaleDateString('en-US', {
        day: 'numeric',
        month: 'long',
        year: 'numeric',
        timeZone: 'UTC',
      })

const statusText: Record<InvoiceRow['status'], string> = {
  draft: 'Draft',
  open: 'Open',
  paid: 'Paid',
  void: 'Void',
  uncollectible: 'Open',
}

/** An invoice on paper, page by page as it is read. */
export function invoicePdf({ invoice, lines, sender }: InvoicePaper): Readable {
  const number = invoice.number ?? ''
  const doc = new PDFDocument({
    size: 'A4',
    margin: left,
    info: { Title: `Invoice ${number}`, Author: inStandardFont(sender.split('\n')[0] ?? '') },
    lang: 'en',
  })
  const text = (value: string, x: number, y: number, options: PDFKit.Mixins.TextOptions = {}) =>
    doc.text(inStandardFont(value), x, y, options)
  const line = (y: number) => doc.moveTo(left, y).lineTo(right, y).lineWidth(0.5).stroke(rule)
  const amountAt = (value: string, x: number, y: number, width: number) =>
    text(value, x, y, { width, align: 'right', lineBreak: false })

  function head(): void {
    doc.font('Helvetica-Bold').fontSize(20).fillColor(ink)
    text('Invoice', left, 56)
    doc.font('Helvetica').fontSize(9).fillColor(faint)
    text(sender, 320, 58, { width: right - 320, align: 'right' })
    const facts: [string, string][] = [
      ['Number', number],
      ['Date', day(invoice.issued_at)],
      ['Due', day(invoice.due_at)],
      ['Paid', day(invoice.paid_at)],
      ['Status', statusText[invoice.status]],
      ['Period', `${day(invoice.period_start)} to ${day(invoice.period_end)}`],
    ]
    let y = 130
    for (const [name, value] of facts) {
      if (value === '') continue
      doc.fillColor(faint)
      text(name, left, y)
      doc.fillColor(ink)
      text(value, left + 56, y)
      y += 15
    }
    doc.fillColor(faint)
    text('Billed to', 340, 130)
    doc.fillColor(ink)
    text(recipient(invoice.bill_to).join('\n'), 340, 145, { width: right - 340, lineGap: 2 })
    doc.y = Math.max(doc.y, y) + 28
  }

  function columnHead(): void {
    const y = doc.y
    doc.font('Helvetica').fontSize(8).fillColor(faint)
    text('Description', left, y)
    amountAt('Quantity', columns.quantity, y, 62)
    amountAt('Price', columns.price, y, 66)
    amountAt('Amount', columns.amount, y, right - columns.amount)
    line(y + 14)
    doc.y = y + 22
  }

  function row(item: Line): void {
    doc.font('Helvetica').fontSize(9)
    const width = columns.quantity - left - 12
    const height = doc.heightOfString(inStandardFont(item.description), { width }) + 18
    if (doc.y + height > pageEnd) {
      doc.addPage()
      columnHead()
    }
    const y = doc.y
    doc.fontSize(9).fillColor(ink)
    text(item.description, left, y, { width })
    const below = doc.y
    doc.fontSize(7.5).fillColor(faint)
    text(`${day(item.period_start)} to ${day(item.period_end)}`, left, below + 1, { width })
    doc.fontSize(9).fillColor(ink)
    if (item.unit_price !== null) {
      const quantity = Number(item.quantity.toFixed(2)).toLocaleString('en-US')
      amountAt(`${quantity}${units[item.unit]}`, columns.quantity, y, 62)
      amountAt(formatRate(item.unit_price), columns.price, y, 66)
    }
    amountAt(formatCents(item.amount), columns.amount, y, right - columns.amount)
    doc.y = y + height
  }

  function totals(): void {
    if (doc.y + 110 > pageEnd) doc.addPage()
    line(doc.y)
    let y = doc.y + 12
    const asks = invoice.status === 'open' || invoice.status === 'uncollectible'
    const sums: [string, number][] = [
      ['Total', invoice.total],
      ['Credit applied', -invoice.credit_applied],
      ['Paid', -invoice.amount_paid],
      ['Amount due', asks ? invoice.amount_due - invoice.amount_paid : 0],
    ]
    for (const [name, value] of sums) {
      if (value === 0 && name !== 'Amount due' && name !== 'Total') continue
      const last = name === 'Amount due'
      doc.font(last ? 'Helvetica-Bold' : 'Helvetica').fontSize(last ? 11 : 9)
      doc.fillColor(last ? ink : faint)
      text(name, columns.quantity, y)
      doc.fillColor(ink)
      amountAt(formatCents(value), columns.amount - 20, y, right - columns.amount + 20)
      y += last ? 20 : 16
    }
  }

  head()
  columnHead()
  for (const item of lines) row(item)
  totals()
  doc.end()
  return doc
}

/** Name, address and tax numbers as they were when the invoice was issued. */
function recipient(to: BillTo | null): string[] {
  if (!to) return []
  const { address } = to
  const own =
    to.name && to.name !== to.organization ? [to.name, to.organization] : [to.organization]
  return [
    ...own,
    ...(address
      ? [
          address.line1,
          address.line2 ?? '',
          [address.postal_code, address.city].join(' '),
          [address.state, address.country].filter(Boolean).join(', '),
        ]
      : []),
    to.email ?? '',
    ...to.tax_ids.map(({ name, value }) => `${name} ${value}`),
  ].filter(Boolean)
}
