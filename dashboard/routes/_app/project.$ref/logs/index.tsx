import { createFileRoute, redirect } from '@tanstack/react-router'
import { lastSource } from '../../../../features/observability/logs/last-source.ts'
import { slugOf } from '../../../../features/observability/logs/sources.ts'

/** No source: the one that was open last. */
export const Route = createFileRoute('/_app/project/$ref/logs/')({
  staticData: { feature: 'logs:collections' },
  beforeLoad: ({ params: { ref } }) => {
    throw redirect({
      to: '/project/$ref/logs/$source',
      params: { ref, source: slugOf(lastSource(ref)) },
      replace: true,
    })
  },
})
