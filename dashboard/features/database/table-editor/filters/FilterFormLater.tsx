import { lazy, Suspense, type ComponentProps } from 'react'
import { Skeleton } from '../../../../ui/Skeleton.tsx'

const FilterForm = lazy(() => import('./FilterForm.tsx').then((m) => ({ default: m.FilterForm })))

/** The form of a filter, which is loaded when somebody first opens one: rows are there without it. */
export function FilterFormLater(props: ComponentProps<typeof FilterForm>) {
  return (
    <Suspense fallback={<Skeleton width={240} />}>
      <FilterForm {...props} />
    </Suspense>
  )
}
