import { createFileRoute, redirect } from '@tanstack/react-router'

/** Where the secrets of the vault were looked for before integrations had pages of their own. */
export const Route = createFileRoute('/_app/project/$ref/settings/vault/secrets')({
  beforeLoad: ({ params: { ref } }) => {
    throw redirect({ to: '/project/$ref/integrations/vault', params: { ref }, replace: true })
  },
})
