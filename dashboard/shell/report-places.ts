import { reportKeys, reportOf } from '#contract/observability/report-charts'

/** The reports, in the second column. */
export function reportPlaces(ref: string) {
  const page = (name: string, below: string, route = below) => ({
    name,
    to: `/project/${ref}/reports${below}`,
    route: `/project/$ref/reports${route}`,
  })
  return [
    { entries: [page('Overview', '')] },
    {
      title: 'Reports',
      entries: [
        ...reportKeys.map((key) => page(reportOf(key).title, `/${key}`, '/$report')),
        page('Query performance', '/query-performance'),
      ],
    },
  ]
}
