import { z } from 'zod'
import { addOnTypes, addOnVariants } from '../billing/add-ons.ts'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { ProjectRef } from '../values.ts'

const type = z.enum(addOnTypes)
const Variant = z.object({
  id: z.enum(addOnVariants.map(({ identifier }) => identifier)),
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
  /** Chooses a compute size, or point in time recovery; either restarts the database where it has to. */
  applyAddOn: endpoint('v1.applyAddOn', 'PATCH /v1/projects/:ref/billing/addons', {
    needs: inProject('billing:Write', 'stripe.subscriptions'),
    perMinute: 20,
    input: z.object({
      ref: ProjectRef,
      addon_type: type,
      addon_variant: z.string().min(1).max(60),
    }),
    returns: z.object({}),
  }),
  removeAddOn: endpoint(
    'v1.removeAddOn',
    'DELETE /v1/projects/:ref/billing/addons/:addon_variant',
    {
      needs: inProject('billing:Write', 'stripe.subscriptions'),
      perMinute: 10,
      input: z.object({ ref: ProjectRef, addon_variant: z.string().min(1).max(60) }),
      returns: z.object({}),
    },
  ),
}
