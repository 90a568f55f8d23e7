import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../api/client.ts'
import { tokensQuery } from '../../../features/people/account/queries.ts'
import { TokensPage } from '../../../features/people/account/tokens/TokensPage.tsx'

export const Route = createFileRoute('/_app/account/tokens')({
  staticData: { title: 'Access tokens' },
  loader: () => queryClient.prefetchQuery(tokensQuery),
  component: TokensPage,
})
