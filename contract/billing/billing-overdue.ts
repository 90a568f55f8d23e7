import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

/**
 * Organizations of the caller with invoices that are past due; only where the caller may see billing. In a file of its
 * own: every page of the dashboard asks it, and needs nothing else of billing.
 */
export const overdue = endpoint('billing.overdue', 'GET /platform/stripe/invoices/overdue', {
  needs: 'signed-in',
  input: z.object({}),
  returns: z.array(z.object({ organization_id: z.number(), overdue_invoice_count: z.number() })),
})
