import { z } from 'zod'

/** How organizations pay. Without Stripe's two secrets the operator marks invoices paid. */
export const billingEnvironment = {
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_API_URL: z
    .string()
    .refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
      message: 'must start with http:// or https://',
    })
    .optional(),
  PLINTH_PAYMENT_INSTRUCTIONS: z.string().max(1000).optional(),
  PLINTH_INVOICE_SENDER: z.string().max(1000).optional(),
}

type Environment = z.infer<z.ZodObject<typeof billingEnvironment>>

/** What is wrong with the settings together; undefined when nothing is. */
export function billingProblem(e: Environment): string | undefined {
  const [given, missing] = e.STRIPE_SECRET_KEY
    ? ['STRIPE_SECRET_KEY', e.STRIPE_WEBHOOK_SECRET ? undefined : 'STRIPE_WEBHOOK_SECRET']
    : ['STRIPE_WEBHOOK_SECRET', e.STRIPE_WEBHOOK_SECRET ? 'STRIPE_SECRET_KEY' : undefined]
  return missing && `${missing}: must be set together with ${given}`
}

export const billingSettings = (e: Environment) => ({
  stripe:
    e.STRIPE_SECRET_KEY && e.STRIPE_WEBHOOK_SECRET
      ? {
          secretKey: e.STRIPE_SECRET_KEY,
          webhookSecret: e.STRIPE_WEBHOOK_SECRET,
          apiUrl: e.STRIPE_API_URL,
        }
      : undefined,
  paymentInstructions: e.PLINTH_PAYMENT_INSTRUCTIONS,
  // One line in the environment: `|` stands for the end of one on the invoice.
  sender: e.PLINTH_INVOICE_SENDER?.split('|')
    .map((line) => line.trim())
    .join('\n'),
})
