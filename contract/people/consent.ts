import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

/** One use of a person's data, with what they said to it. */
const Service = z.object({
  id: z.string(),
  label: z.string(),
  consent: z.object({ status: z.boolean() }),
})

/** The shape of the requirements (§3). Essential categories cannot be switched off. */
export const ConsentCategory = z.object({
  slug: z.string(),
  label: z.string(),
  description: z.string(),
  isEssential: z.boolean(),
  services: z.array(Service),
})
export type ConsentCategory = z.infer<typeof ConsentCategory>

export const serviceIds = {
  session: 'session',
  preferences: 'preferences',
  productUse: 'product-use',
  errorReports: 'error-reports',
} as const

/** Nothing works without these: nobody can say no to them. */
export const essentialIds: readonly string[] = [serviceIds.session, serviceIds.preferences]

const Decision = z.object({ id: z.string().min(1).max(64), status: z.boolean() })
export type ConsentDecision = z.infer<typeof Decision>

export const consent = {
  /** What may be decided, with the default of who has not: only what is essential. */
  categories: endpoint('consent.categories', 'GET /platform/consent/categories', {
    needs: 'anyone',
    input: z.object({}),
    returns: z.object({ categories: z.array(ConsentCategory) }),
  }),
  /** `decided_at` is null while the person has not been asked or has not answered. */
  get: endpoint('consent.get', 'GET /platform/profile/consent', {
    needs: 'signed-in',
    input: z.object({}),
    returns: z.object({
      decided_at: z.string().nullable(),
      categories: z.array(ConsentCategory),
    }),
  }),
  /** Unknown services are refused, and so is saying no to an essential one. What is not named is denied. */
  decide: endpoint('consent.decide', 'PUT /platform/profile/consent', {
    needs: 'signed-in',
    perMinute: 30,
    input: z.object({ decisions: z.array(Decision).max(50) }),
    returns: z.object({ decided_at: z.string(), categories: z.array(ConsentCategory) }),
  }),
}
