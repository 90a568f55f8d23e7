/** How money comes in, as the operator has set it. */
export type BillingSettings = {
  /** Cards by Stripe; without it the operator marks invoices paid. */
  stripe?: { secretKey: string; webhookSecret: string; apiUrl?: string | undefined } | undefined
  /** Where people pay to, for those who do not pay by card. */
  paymentInstructions?: string | undefined
  /** Name and address on invoices, a line each. */
  sender?: string | undefined
}
