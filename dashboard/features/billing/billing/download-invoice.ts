import { api } from '#contract/api'
import type { Invoice } from '#contract/billing/billing-shapes'
import { addressOf } from '../../../api/address.ts'
import { send } from '../../../api/http.ts'

/** Fetches the PDF with the session's token, which a plain link could not carry, and saves it. */
export async function downloadInvoice(slug: string, invoice: Invoice): Promise<void> {
  const { path } = addressOf(api.billing.invoicePdf, { slug, invoice_id: invoice.id })
  const response = await send({ method: 'GET', path })
  const url = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = url
  link.download = `invoice-${invoice.number ?? 'draft'}.pdf`
  link.click()
  URL.revokeObjectURL(url)
}
