import { formatCents } from '#contract/billing/money'
import { ApiError } from '#kit/errors'
import type { PaymentBackend } from './backend.ts'

const defaultInstructions =
  'Ask the operator of this platform where to pay to. The invoice counts as paid when the operator has seen the money arrive.'

/** No provider: invoices are paid by another way, and the operator says which have been. */
export function manualBackend(instructions: string = defaultInstructions): PaymentBackend {
  const noCards = () => Promise.reject(new ApiError('cards_not_accepted'))
  const unknownCard = () => Promise.reject(new ApiError('payment_method_not_found'))
  return {
    name: 'manual',
    acceptsCards: false,
    customer: () => Promise.resolve(null),
    setUpCard: noCards,
    cards: () => Promise.resolve({ data: [], defaultId: null }),
    removeCard: unknownCard,
    setDefaultCard: unknownCard,
    collect: () => Promise.resolve(undefined),
    paymentLink: ({ number, amount }) =>
      Promise.resolve({
        url: null,
        instructions: `Pay ${formatCents(amount)} and name the invoice ${number}. ${instructions}`,
      }),
    readEvent() {
      throw new ApiError('bad_signature')
    },
  }
}
