import { useInfiniteQuery } from '@tanstack/react-query'
import { Download, ReceiptText } from 'lucide-react'
import { useState } from 'react'
import type { z } from 'zod'
import { billing } from '#contract/billing/billing'
import type { Invoice, InvoiceStatus, InvoiceLine } from '#contract/billing/billing-shapes'
import { formatCents } from '#contract/billing/money'
import { messageOf, useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Badge, type Tone } from '../../../ui/text/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Dialog } from '../../../ui/floats/Dialog.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Table } from '../../../ui/lists/Table.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { addressOf } from '../../../api/address.ts'
import { send } from '../../../api/http.ts'
import { numberText } from '../../../ui/text/number.ts'
import { invoicesQuery } from './queries.ts'

/** Fetches the PDF with the session's token, which a plain link could not carry, and saves it. */
async function downloadInvoice(slug: string, invoice: Invoice): Promise<void> {
  const { path } = addressOf(billing.invoicePdf, { slug, invoice_id: invoice.id })
  const response = await send({ method: 'GET', path })
  const url = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = url
  link.download = `invoice-${invoice.number ?? 'draft'}.pdf`
  link.click()
  URL.revokeObjectURL(url)
}

const tones: Record<InvoiceStatus, Tone> = {
  draft: 'neutral',
  open: 'info',
  paid: 'success',
  void: 'neutral',
  uncollectible: 'danger',
}
const reasons: Record<Invoice['reason'], string> = {
  subscription_start: 'Plan started',
  subscription_cycle: 'Billing period',
  subscription_change: 'Plan changed',
  credit_top_up: 'Credits',
}

export function InvoicesSection({ slug }: { slug: string }) {
  const list = useInfiniteQuery(invoicesQuery(slug))
  const reason = useDenials({ organizationSlug: slug })(billing.invoicePaymentLink)
  const [instructions, setInstructions] = useState<string>()
  const pay = useCall(billing.invoicePaymentLink, {
    onSuccess: ({ url, instructions: words }) => {
      if (url) location.assign(url)
      else setInstructions(words)
    },
    onError: (error) => toast.error(error.message),
  })
  const download = (invoice: Invoice) =>
    downloadInvoice(slug, invoice).catch((error: unknown) => toast.error(messageOf(error)))
  return (
    <section id="invoices">
      <h2 className="sh">Invoices</h2>
      <div className="card">
        <Table<Invoice>
          label="invoices"
          rows={list.data?.pages.flatMap((page) => page.invoices)}
          error={list.error}
          onRetry={() => void list.refetch()}
          keyOf={({ id }) => id}
          empty={
            <EmptyState icon={ReceiptText} title="No invoices yet">
              The first one appears when a paid plan starts.
            </EmptyState>
          }
          columns={[
            {
              id: 'number',
              head: 'Number',
              cell: ({ number }) => <span className="mono">{number ?? 'Draft'}</span>,
            },
            {
              id: 'for',
              head: 'For',
              wideOnly: true,
              cell: (invoice) => `${reasons[invoice.reason]}, ${dayOf(invoice.period_start)}`,
            },
            {
              id: 'date',
              head: 'Date',
              wideOnly: true,
              cell: ({ issued_at, created_at }) => dayOf(issued_at ?? created_at),
            },
            {
              id: 'status',
              head: 'Status',
              width: '110px',
              cell: ({ status, overdue }) => (
                <Badge tone={overdue ? 'danger' : tones[status]}>
                  {overdue ? 'overdue' : status}
                </Badge>
              ),
            },
            { id: 'total', head: 'Total', numeric: true, cell: ({ total }) => formatCents(total) },
            {
              id: 'actions',
              head: 'Actions',
              hideHead: true,
              width: '150px',
              cell: (invoice) => (
                <span className="acts end">
                  {invoice.status === 'open' && (
                    <Button
                      busy={pay.isPending && pay.variables.invoice_id === invoice.id}
                      disabledReason={reason}
                      onClick={() => pay.mutate({ slug, invoice_id: invoice.id })}
                    >
                      Pay
                    </Button>
                  )}
                  <IconButton
                    icon={Download}
                    label={`Download invoice ${invoice.number ?? 'draft'}`}
                    onClick={() => void download(invoice)}
                  />
                </span>
              ),
            },
          ]}
        />
      </div>
      {list.hasNextPage && (
        <div className="more">
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
      <Dialog
        open={instructions !== undefined}
        title="How to pay"
        onClose={() => setInstructions(undefined)}
        footer={
          <Button size="form" onClick={() => setInstructions(undefined)}>
            Close
          </Button>
        }
      >
        <p>{instructions}</p>
      </Dialog>
    </section>
  )
}

type Line = z.infer<typeof InvoiceLine>

function how({ kind, unit, quantity }: Line): string {
  if (unit === 'hour') return `${numberText(quantity, 1)} h`
  if (unit === 'gigabyte') return `${numberText(quantity, 2)} GB`
  return kind === 'usage' ? numberText(quantity) : ''
}

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
          // oxlint-disable-next-line react/no-array-index-key -- lines have no names of their own and never change their places
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

const months =
  'January February March April May June July August September October November December'.split(' ')

/** "1 December 2025": periods begin and end at midnight UTC, so the day is that of UTC. */
export function dayOf(at: string): string {
  const date = new Date(at)
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}
