import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// Two builds share the sources: the console's page, and the messenger, a single file for other people's sites.
const messenger = process.env["PART"] === "messenger";

/** What every view needs, and what the simulator needs: few files load sooner than many small ones. */
const groups = [
  {
    name: "shell",
    test: /node_modules\/(react|react-dom|scheduler|@tanstack|wouter|regexparam|use-sync-external-store|@tabler)\/|src\/(api|ui|shell|draft|words)\/[^.]+\.tsx?$/,
  },
  {
    name: "talk",
    test: /node_modules\/virtua\/|src\/(features\/simulator|schema-form)\/|src\/features\/tools\/exchange/,
  },
];

export default defineConfig({
  base: "/console/",
  plugins: messenger ? [] : [react()],
  publicDir: messenger ? false : "public",
  build: {
    outDir: "../src/openplaybook/console/built",
    emptyOutDir: !messenger,
    manifest: messenger ? false : "manifest.json",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    target: "es2022",
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
    ...(messenger
      ? { lib: { entry: "src/messenger/element.ts", formats: ["es"], fileName: () => "messenger.js" } }
      : { rolldownOptions: { output: { codeSplitting: { groups } } } }),
  },
  server: { proxy: { "^/(v3|v3beta1|v1|v1beta)/": "http://127.0.0.1:8080" } },
  // One thread for all: they are fast, and starting a process for each file takes most of the time.
  test: { include: ["tests/**/*.test.ts"], environment: "node", pool: "threads", isolate: false, maxWorkers: 1 },
} as Parameters<typeof defineConfig>[0]);
