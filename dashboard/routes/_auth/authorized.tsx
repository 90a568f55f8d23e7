import { createFileRoute } from '@tanstack/react-router'
import { AuthorizedPage } from '../../features/people/account/AuthorizedPage.tsx'

/** Whether somebody is signed in does not matter: this is the other window of somebody who is. */
export const Route = createFileRoute('/_auth/authorized')({
  staticData: { title: 'Authorized' },
  component: Page,
})

function Page() {
  const { state, error_description: refusal } = Route.useSearch()
  return <AuthorizedPage state={state} refusal={refusal} />
}
