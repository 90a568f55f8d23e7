import { z } from 'zod'
import { addOnTypes } from './add-ons.ts'
import { endpoint } from './endpoint.ts'
import { inProject } from './permissions.ts'
import { ProjectRef } from './values.ts'

const type = z.enum(addOnTypes)
const Variant = z.object({
  id: z.string(),
  name: z.string(),
  price: z.object({
    description: z.string(),
    type: z.enum(['fixed', 'usage']),
    interval: z.enum(['monthly', 'hourly']),
    /** US dollars. */
    amount: z.number(),
  }),
})

/** What a project is charged for beside its plan, in the shape that programs of this API know. */
export const v1Billing = {
  addOns: endpoint('v1.addOns', 'GET /v1/projects/:ref/billing/addons', {
    needs: inProject('billing:Read', 'stripe.subscriptions'),
    input: z.object({ ref: ProjectRef }),
    returns: z.object({
      selected_addons: z.array(z.object({ type, variant: Variant })),
      available_addons: z.array(z.object({ type, name: z.string(), variants: z.array(Variant) })),
    }),
  }),
}
