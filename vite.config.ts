import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { contractWithoutSchemas } from './dashboard/build/contract-without-schemas.ts'
import { routeParts } from './dashboard/build/route-parts.ts'

const platform = process.env.PLINTH_DEV_URL ?? 'http://127.0.0.1:8000'
// Only what the platform answers: the sources of the dashboard have a folder api, too.
const served = ['^/platform/', '^/auth/v1/', '^/api/[\\w-]+$', '^/v1/']

export default defineConfig({
  root: 'dashboard',
  plugins: [
    tanstackRouter({
      routesDirectory: './routes',
      generatedRouteTree: './routeTree.gen.ts',
      autoCodeSplitting: true,
      quoteStyle: 'single',
      semicolons: false,
      disableLogging: true,
      tmpDir: './node_modules/.cache/tanstack',
    }),
    react(),
    contractWithoutSchemas(),
    routeParts(),
  ],
  define: {
    // A constant of the build, so that without the gallery nothing of it is built.
    'import.meta.env.VITE_UI_GALLERY': JSON.stringify(process.env.VITE_UI_GALLERY ?? ''),
  },
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    // The content policy allows no data: scripts or styles, and inlined fonts would be fetched by every page.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 3500,
    rolldownOptions: {
      output: {
        // Of groups that are parted by their entries, the names of all of these would be the file's.
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
        codeSplitting: {
          groups: [
            // What every page needs, in one file that changes only when a library does.
            {
              name: 'libraries',
              test: /node_modules\/(?:react|react-dom|scheduler|@tanstack|@supabase)\//,
              tags: ['$initial'],
              priority: 4,
            },
            // The rest of the first load, and nothing that only some pages share.
            { name: 'shared', tags: ['$initial'], priority: 3 },
            // The frame around every page behind the sign-in.
            { name: 'frame', test: /dashboard\/shell\//, priority: 2 },
            // Small parts that many pages share: as files of their own they would be some eighty requests.
            {
              name: 'common',
              test: /dashboard\/(?:ui|session|api)\/|node_modules\/lucide-react\/|\/contract\//,
              minShareCount: 3,
              entriesAware: true,
              entriesAwareMergeThreshold: 30_000,
            },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(served.map((path) => [path, { target: platform, ws: true }])),
  },
})
