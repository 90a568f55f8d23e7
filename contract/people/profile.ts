import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Permission } from '../permissions.ts'
import { displayName } from '../values.ts'

export const Profile = z.object({
  id: z.number(),
  gotrue_id: z.string(),
  /** `provider|id`; the prefix github marks an account that GitHub vouches for. */
  auth0_id: z.string(),
  username: z.string(),
  primary_email: z.string(),
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  mobile: z.string().nullable(),
  is_alpha_user: z.boolean(),
  /** Runs the installation (docs/operating.md). */
  is_operator: z.boolean(),
  free_project_limit: z.number(),
  disabled_features: z.array(z.string()),
})
export type Profile = z.infer<typeof Profile>

const PasswordVerdict = z.object({
  score: z.number(),
  feedback: z.object({ suggestions: z.array(z.string()), warning: z.string() }),
})

export const profile = {
  get: endpoint('profile.get', 'GET /platform/profile', {
    needs: 'signed-in',
    input: z.object({}),
    returns: Profile,
  }),
  create: endpoint('profile.create', 'POST /platform/profile', {
    needs: 'signed-in',
    input: z.object({}),
    returns: Profile,
    status: 201,
  }),
  update: endpoint('profile.update', 'PATCH /platform/profile', {
    needs: 'signed-in',
    input: z.object({
      /** Empty: not given. */
      first_name: displayName(0, 64).optional(),
      last_name: displayName(0, 64).optional(),
      username: displayName(1, 64).optional(),
    }),
    returns: Profile,
  }),
  /** Ends the account: tokens, sessions, memberships and login. Answers with the profile as it was. */
  remove: endpoint('profile.remove', 'DELETE /platform/profile', {
    needs: 'signed-in',
    sessionOnly: true,
    input: z.object({
      /** The account's own address, as the person typed it: whoever deletes says what. */
      email: z.string().max(254),
    }),
    returns: Profile,
  }),
  /** The organizations that keep the caller from deleting the account: nobody else owns them. */
  soleOwnerships: endpoint('profile.soleOwnerships', 'GET /platform/profile/sole-ownerships', {
    needs: 'signed-in',
    input: z.object({}),
    returns: z.array(z.object({ slug: z.string(), name: z.string() })),
  }),
  permissions: endpoint('profile.permissions', 'GET /platform/profile/permissions', {
    needs: 'signed-in',
    input: z.object({}),
    returns: z.array(Permission),
  }),
  /** Both shapes that clients know: the verdict itself and the same under `result` (facts §0). */
  passwordCheck: endpoint('profile.passwordCheck', 'POST /platform/profile/password-check', {
    needs: 'signed-in',
    input: z.object({ password: z.string().min(1).max(1000) }),
    returns: PasswordVerdict.extend({ result: PasswordVerdict }),
  }),
}
