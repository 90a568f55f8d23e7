import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { ErrorBoundary } from 'react-error-boundary'
import { queryClient } from './api/client.ts'
import type { createAppRouter } from './router.ts'
import { reportCrash } from './session/telemetry/error-report.ts'
import { Crash } from './shell/Crash.tsx'
import { Toaster } from './ui/floats/Toaster.tsx'
import { TooltipHost } from './ui/floats/TooltipHost.tsx'

export function App({ router }: { router: ReturnType<typeof createAppRouter> }) {
  return (
    <ErrorBoundary FallbackComponent={Crash} onError={reportCrash}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Toaster />
        <TooltipHost />
      </QueryClientProvider>
    </ErrorBoundary>
  )
}
