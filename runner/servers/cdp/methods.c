#include "runner/servers/cdp/methods.h"

#include <stddef.h>
#include <string.h>

/* All methods of Chrome 156. */
static const struct method methods[] = {
    { "Accessibility",
      "disable enable getAXNodeAndAncestors getChildAXNodes getFullAXTree "
      "getPartialAXTree getRootAXNode queryAXTree",
      USE_READS, 0, NULL },
    { "Ads", "getAdMetrics getAdScripts", USE_READS, 0, NULL },
    { "Animation", "disable enable getCurrentTime getPlaybackRate", USE_READS, 0, NULL },
    { "Animation",
      "releaseAnimations resolveAnimation seekAnimations setPaused setPlaybackRate "
      "setTiming",
      0, 0, NULL },
    { "Audits", "checkFormsIssues disable enable getEncodedResponse", USE_READS, 0, NULL },
    { "Autofill", "disable enable setAddresses trigger", 0, 0, NULL },
    { "BackgroundService", "startObserving stopObserving", USE_READS, 0, NULL },
    { "BackgroundService", "clearEvents setRecording", 0, 0, NULL },
    { "BluetoothEmulation",
      "addCharacteristic addDescriptor addService disable enable removeCharacteristic "
      "removeDescriptor removeService setSimulatedCentralState simulateAdvertisement "
      "simulateCharacteristicOperationResponse simulateDescriptorOperationResponse "
      "simulateGATTDisconnection simulateGATTOperationResponse "
      "simulatePreconnectedPeripheral",
      0, 0, NULL },
    { "Browser", "getVersion", USE_READS, 0, NULL },
    { "Browser", "getWindowBounds", USE_READS | USE_WINDOW, 0, NULL },
    { "Browser", "getWindowForTarget", USE_READS | USE_TARGET, SCOPE_WINDOW, NULL },
    { "Browser", "setContentsSize setWindowBounds", USE_WINDOW, 0, NULL },
    { "Browser", "addMockCamera crash crashGpuProcess executeBrowserCommand", USE_REFUSED, 0,
      NULL },
    { "Browser", "close", USE_CLOSE, SCOPE_CLOSE, NULL },
    { "Browser", "setDownloadBehavior", USE_CONTEXT | USE_DOWNLOADS, 0, NULL },
    { "Browser", "cancelDownload grantPermissions resetPermissions setPermission", USE_CONTEXT, 0,
      NULL },
    { "Browser",
      "addPrivacySandboxEnrollmentOverride getBrowserCommandLine "
      "getGlobalPrivacyControl getHistogram getHistograms setDockTile "
      "setGlobalPrivacyControl",
      0, 0, NULL },
    { "CSS",
      "collectClassNames disable enable getAnimatedStylesForNode getBackgroundColors "
      "getComputedStyleForNode getEnvironmentVariables getInlineStylesForNode "
      "getLayersForNode getLocationForSelector getLonghandProperties "
      "getMatchedStylesForNode getMediaQueries getPlatformFontsForNode "
      "getStyleSheetText resolveValues startRuleUsageTracking stopRuleUsageTracking "
      "takeComputedStyleUpdates takeCoverageDelta trackComputedStyleUpdates "
      "trackComputedStyleUpdatesForNode",
      USE_READS, 0, NULL },
    { "CSS",
      "addRule createStyleSheet forcePseudoState forceStartingStyle "
      "setContainerQueryConditionText setContainerQueryText "
      "setEffectivePropertyValueForNode setKeyframeKey setLocalFontsEnabled "
      "setMediaText setNavigationText setPropertyRulePropertyName setRuleSelector "
      "setScopeText setStyleSheetText setStyleTexts setSupportsText",
      0, 0, NULL },
    { "CacheStorage",
      "deleteCache deleteEntry requestCacheNames requestCachedResponse requestEntries", 0, 0,
      NULL },
    { "Cast", NULL, USE_REFUSED, 0, NULL },
    { "Console", "disable enable", USE_READS, 0, NULL },
    { "Console", "clearMessages", 0, 0, NULL },
    { "CrashReportContext", "getEntries", USE_READS, 0, NULL },
    { "DOM",
      "collectClassNamesFromSubtree describeNode disable discardSearchResults enable "
      "getAnchorElement getAttributes getBoxModel getContainerForNode getContentQuads "
      "getDetachedDomNodes getDocument getElementByRelation getFlattenedDocument "
      "getFrameOwner getImplicitAnchorCandidates getNodeForLocation "
      "getNodeStackTraces getNodesForSubtreeByStyle getOuterHTML "
      "getQueryingDescendantsForContainer getRelayoutBoundary getSearchResults "
      "getTopLayerElements performSearch pushNodeByPathToFrontend "
      "pushNodesByBackendIdsToFrontend querySelector querySelectorAll "
      "requestChildNodes requestNode resolveNode",
      USE_READS, 0, NULL },
    { "DOM", "setFileInputFiles", USE_FILES, 0, NULL },
    { "DOM", "setAttributeValue setAttributesAsText setNodeName setNodeValue setOuterHTML",
      USE_CODE, 0, NULL },
    { "DOM",
      "clearTextMarkers copyTo focus forceShowInterest forceShowPopover getFileInfo "
      "hideHighlight highlightNode highlightRect markUndoableState moveTo redo "
      "removeAttribute removeNode scrollIntoViewIfNeeded setInspectedNode "
      "setNodeStackTracesEnabled setTextMarker undo",
      0, 0, NULL },
    { "DOMDebugger", "getEventListeners", USE_READS, 0, NULL },
    { "DOMDebugger",
      "removeDOMBreakpoint removeEventListenerBreakpoint "
      "removeInstrumentationBreakpoint removeXHRBreakpoint setBreakOnCSPViolation "
      "setDOMBreakpoint setEventListenerBreakpoint setInstrumentationBreakpoint "
      "setXHRBreakpoint",
      0, 0, NULL },
    { "DOMSnapshot", "captureSnapshot disable enable getSnapshot", USE_READS, 0, NULL },
    { "DOMStorage",
      "clear disable enable getDOMStorageItems removeDOMStorageItem setDOMStorageItem", 0, 0,
      NULL },
    { "Debugger", "setBreakpoint setBreakpointByUrl setBreakpointOnFunctionCall", 0, 0,
      "condition" },
    { "Debugger", "evaluateOnCallFrame setReturnValue setScriptSource setVariableValue", USE_CODE,
      0, NULL },
    { "Debugger",
      "continueToLocation disable disassembleWasmModule enable getPossibleBreakpoints "
      "getScriptSource getStackTrace getWasmBytecode nextWasmDisassemblyChunk pause "
      "pauseOnAsyncCall removeBreakpoint restartFrame resume searchInContent "
      "setAsyncCallStackDepth setBlackboxExecutionContexts setBlackboxPatterns "
      "setBlackboxedRanges setBreakpointsActive setInstrumentationBreakpoint "
      "setPauseOnExceptions setSkipAllPauses stepInto stepOut stepOver",
      0, 0, NULL },
    { "DeviceAccess", "cancelPrompt disable enable selectPrompt", 0, 0, NULL },
    { "DeviceOrientation", "clearDeviceOrientationOverride setDeviceOrientationOverride", 0, 0,
      NULL },
    { "DigitalCredentials", "setVirtualWalletBehavior", 0, 0, NULL },
    { "Emulation", "canEmulate getOverriddenSensorInformation getScreenInfos", USE_READS, 0, NULL },
    { "Emulation",
      "clearDeviceMetricsOverride clearDevicePostureOverride "
      "clearDisplayFeaturesOverride clearGeolocationOverride clearIdleOverride "
      "resetPageScaleFactor setAutoDarkModeOverride "
      "setAutomationOverride setCPUPerformanceOverride setCPUThrottlingRate "
      "setDataSaverOverride setDefaultBackgroundColorOverride "
      "setDeviceMetricsOverride setDevicePostureOverride setDisabledImageTypes "
      "setDisplayFeaturesOverride setDocumentCookieDisabled "
      "setEmitTouchEventsForMouse setEmulatedMedia setEmulatedOSTextScale "
      "setEmulatedVisionDeficiency setFocusEmulationEnabled setGeolocationOverride "
      "setHardwareConcurrencyOverride setIdleOverride setLocaleOverride "
      "setNavigatorOverrides setPageScaleFactor setPressureSourceOverrideEnabled "
      "setPressureStateOverride setSafeAreaInsetsOverride "
      "setScriptExecutionDisabled setScrollbarsHidden setSensorOverrideEnabled "
      "setSensorOverrideReadings setSmallViewportHeightDifferenceOverride "
      "setTimezoneOverride setTouchEmulationEnabled setUserAgentOverride "
      "setVirtualKeyboardGeometryOverride setVirtualTimePolicy setVisibleSize",
      0, 0, NULL },
    { "Emulation", "addScreen removeScreen setPrimaryScreen updateScreen", USE_REFUSED, 0, NULL },
    { "EventBreakpoints", "disable removeInstrumentationBreakpoint setInstrumentationBreakpoint", 0,
      0, NULL },
    { "Extensions", NULL, USE_REFUSED, 0, NULL },
    { "FedCm",
      "clickDialogButton disable dismissDialog enable openUrl resetCooldown "
      "selectAccount",
      0, 0, NULL },
    { "Fetch", "continueRequest", USE_URL | USE_PAGE, 0, "url" },
    { "Fetch", "continueResponse", USE_PAGE, 0,
      "responseCode responsePhrase responseHeaders binaryResponseHeaders" },
    { "Fetch", "fulfillRequest", USE_CODE | USE_PAGE, 0, NULL },
    { "Fetch",
      "continueWithAuth disable enable failRequest getResponseBody "
      "takeResponseBodyAsStream",
      USE_PAGE, 0, NULL },
    { "FileSystem", "getDirectory", 0, 0, NULL },
    { "FindInPage", "findFirst findNext findPrev stop", 0, 0, NULL },
    { "HeadlessExperimental", "beginFrame disable enable", 0, 0, NULL },
    { "HeapProfiler",
      "addInspectedHeapObject collectGarbage disable enable getHeapObjectId "
      "getObjectByHeapObjectId getSamplingProfile startSampling "
      "startTrackingHeapObjects stopSampling stopTrackingHeapObjects takeHeapSnapshot",
      0, 0, NULL },
    { "IO", "close read", USE_READS, 0, NULL },
    { "IO", "resolveBlob", 0, 0, NULL },
    { "IndexedDB",
      "clearObjectStore deleteDatabase deleteObjectStoreEntries disable enable "
      "getMetadata requestData requestDatabase requestDatabaseNames",
      0, 0, NULL },
    { "Input", "dispatchDragEvent", USE_DRAG, 0, NULL },
    { "Input",
      "cancelDragging dispatchKeyEvent dispatchMouseEvent dispatchTouchEvent "
      "emulateTouchFromMouseEvent imeSetComposition insertText setIgnoreInputEvents "
      "setInterceptDrags synthesizePinchGesture synthesizeScrollGesture "
      "synthesizeTapGesture",
      0, 0, NULL },
    { "Inspector", "disable enable", USE_READS, 0, NULL },
    { "LayerTree",
      "compositingReasons disable enable makeSnapshot profileSnapshot releaseSnapshot "
      "replaySnapshot snapshotCommandLog",
      USE_READS, 0, NULL },
    { "LayerTree", "loadSnapshot", 0, 0, NULL },
    { "Log", "disable enable startViolationsReport stopViolationsReport", USE_READS, 0, NULL },
    { "Log", "clear", 0, 0, NULL },
    { "Media", "disable enable", USE_READS, 0, NULL },
    { "Memory", "getDOMCounters", USE_READS, 0, NULL },
    { "Memory",
      "forciblyPurgeJavaScriptMemory getAllTimeSamplingProfile "
      "getBrowserSamplingProfile getDOMCountersForLeakDetection getSamplingProfile "
      "prepareForLeakDetection setPressureNotificationsSuppressed "
      "simulatePressureNotification startSampling stopSampling",
      0, 0, NULL },
    { "Network",
      "canClearBrowserCache canClearBrowserCookies canEmulateNetworkConditions "
      "configureDurableMessages disable enable enableReportingApi fetchSchemefulSite "
      "getCertificate getRequestPostData getResponseBody getSecurityIsolationStatus "
      "searchInResponseBody streamResourceContent",
      USE_READS, 0, NULL },
    { "Network", "loadNetworkResource", USE_URL, 0, NULL },
    { "Network",
      "clearBrowserCache clearBrowserCookies deleteCookies deleteDeviceBoundSession "
      "emulateNetworkConditions emulateNetworkConditionsByRule "
      "enableDeviceBoundSessions getAllCookies getCookies overrideNetworkState "
      "replayXHR setAttachDebugStack setBlockedURLs setBypassServiceWorker "
      "setCacheDisabled setCookie setCookieControls setCookies setExtraHTTPHeaders "
      "setUserAgentOverride",
      0, 0, NULL },
    { "Overlay",
      "disable enable getGridHighlightObjectsForTest getHighlightObjectForTest "
      "getSourceOrderHighlightObjectForTest hideHighlight highlightFrame "
      "highlightNode highlightQuad highlightRect highlightSourceOrder setInspectMode "
      "setPausedInDebuggerMessage setShowAdHighlights setShowContainerQueryOverlays "
      "setShowDebugBorders setShowDisplayCutout setShowFPSCounter setShowFlexOverlays "
      "setShowGridOverlays setShowHinge setShowHitTestBorders "
      "setShowInspectedElementAnchor setShowIsolatedElements "
      "setShowLayoutShiftRegions setShowPaintRects setShowScrollBottleneckRects "
      "setShowScrollSnapOverlays setShowViewportSizeOnResize setShowWebVitals "
      "setShowWindowControlsOverlay",
      0, 0, NULL },
    { "PWA", NULL, USE_REFUSED, 0, NULL },
    { "Page",
      "captureScreenshot captureSnapshot disable enable getAdScriptAncestry "
      "getAnnotatedPageContent getAppId getAppManifest getFrameTree "
      "getInstallabilityErrors getLayoutMetrics getManifestIcons getNavigationHistory "
      "getOriginTrials getPermissionsPolicyState getResourceContent getResourceTree "
      "screencastFrameAck searchInResource setLifecycleEventsEnabled startScreencast "
      "stopScreencast",
      USE_READS, 0, NULL },
    { "Page", "setDownloadBehavior", USE_SAVES, 0, NULL },
    { "Page", "navigate", USE_URL | USE_TYPES, 0, NULL },
    { "Page", "reload", 0, 0, "scriptToEvaluateOnLoad" },
    { "Page", "printToPDF", USE_READS, 0, "headerTemplate footerTemplate" },
    { "Page",
      "addCompilationCache addScriptToEvaluateOnLoad addScriptToEvaluateOnNewDocument "
      "setBypassCSP setDocumentContent",
      USE_CODE, 0, NULL },
    { "Page",
      "bringToFront clearCompilationCache clearDeviceMetricsOverride "
      "clearDeviceOrientationOverride clearGeolocationOverride close crash "
      "createIsolatedWorld deleteCookie generateTestReport getSiblingSubApps "
      "getSubApps handleJavaScriptDialog navigateToHistoryEntry "
      "produceCompilationCache removeScriptToEvaluateOnLoad "
      "removeScriptToEvaluateOnNewDocument resetNavigationHistory "
      "setAdBlockingEnabled setDeviceMetricsOverride setDeviceOrientationOverride "
      "setFontFamilies setFontSizes setGeolocationOverride "
      "setInterceptFileChooserDialog setPrerenderingAllowed setRPHRegistrationMode "
      "setSPCTransactionMode setTouchEmulationEnabled setWebLifecycleState "
      "startScreenRecording stopLoading stopScreenRecording waitForDebugger",
      0, 0, NULL },
    { "Performance", "disable enable getMetrics setTimeDomain", USE_READS, 0, NULL },
    { "PerformanceTimeline", "enable", USE_READS, 0, NULL },
    { "Preload", "disable enable", USE_READS, 0, NULL },
    { "Profiler",
      "disable enable getBestEffortCoverage setSamplingInterval start "
      "startPreciseCoverage stop stopPreciseCoverage takePreciseCoverage",
      0, 0, NULL },
    { "Runtime",
      "disable enable getExceptionDetails getHeapUsage getIsolateId getProperties "
      "globalLexicalScopeNames releaseObject releaseObjectGroup "
      "runIfWaitingForDebugger",
      USE_READS, 0, NULL },
    { "Runtime", "callFunctionOn compileScript evaluate runScript", USE_CODE, 0, NULL },
    { "Runtime",
      "addBinding awaitPromise discardConsoleEntries queryObjects removeBinding "
      "setAsyncCallStackDepth setCustomObjectFormatterEnabled "
      "setMaxCallStackSizeToCapture terminateExecution",
      0, 0, NULL },
    { "Schema", "getDomains", USE_READS, 0, NULL },
    { "Security", "disable enable", USE_READS, 0, NULL },
    { "Security", "handleCertificateError setOverrideCertificateErrors", USE_PAGE, 0, NULL },
    { "Security", "setIgnoreCertificateErrors", USE_CERTIFICATES, 0, NULL },
    { "ServiceWorker", "disable enable", USE_READS, 0, NULL },
    { "ServiceWorker",
      "deliverPushMessage dispatchPeriodicSyncEvent dispatchSyncEvent "
      "setForceUpdateOnPageLoad skipWaiting startWorker stopAllWorkers stopWorker "
      "unregister updateRegistration",
      0, 0, NULL },
    { "SmartCardEmulation",
      "disable enable reportBeginTransactionResult reportConnectResult "
      "reportDataResult reportError reportEstablishContextResult "
      "reportGetStatusChangeResult reportListReadersResult reportPlainResult "
      "reportReleaseContextResult reportStatusResult",
      0, 0, NULL },
    { "Storage", "getStorageKey getStorageKeyForFrame getUsageAndQuota", USE_READS, 0, NULL },
    { "Storage", "clearCookies getCookies setCookies", USE_STORAGE, 0, NULL },
    { "Storage",
      "clearDataForOrigin clearDataForStorageKey clearPrivateVerificationTokens "
      "clearTrustTokens deletePrivateVerificationToken deleteStorageBucket "
      "getPrivateVerificationTokens getPrivateVerificationTokensIssuerConfigs "
      "getTrustTokens overrideQuotaForOrigin runBounceTrackingMitigations "
      "setPrivateVerificationTokensTracking setStorageBucketTracking "
      "trackCacheStorageForOrigin trackCacheStorageForStorageKey "
      "trackIndexedDBForOrigin trackIndexedDBForStorageKey "
      "untrackCacheStorageForOrigin untrackCacheStorageForStorageKey "
      "untrackIndexedDBForOrigin untrackIndexedDBForStorageKey",
      USE_PAGE, 0, NULL },
    { "SystemInfo", "getFeatureState getInfo getProcessInfo", USE_READS, 0, NULL },
    { "Target", "attachToBrowserTarget detachFromTarget setDiscoverTargets", USE_READS, 0, NULL },
    { "Target", "createTarget", USE_CONTEXT | USE_URL, SCOPE_NEW_TARGET, NULL },
    { "Target", "attachToTarget", USE_READS | USE_TARGET | USE_FLAT, 0, NULL },
    { "Target", "setAutoAttach", USE_READS | USE_FLAT | USE_HOLDS, 0, NULL },
    { "Target", "autoAttachRelated", USE_READS | USE_TARGET | USE_HOLDS, 0, NULL },
    { "Target", "activateTarget closeTarget", USE_TARGET, 0, NULL },
    { "Target", "openDevTools", USE_TARGET | USE_FRONT_END, 0, NULL },
    { "Target", "getDevToolsTarget getTargetInfo", USE_READS | USE_TARGET, 0, NULL },
    { "Target", "getTargets", USE_READS, SCOPE_TARGETS, NULL },
    { "Target", "getBrowserContexts", USE_READS, SCOPE_CONTEXTS, NULL },
    { "Target", "createBrowserContext", USE_CREATE, SCOPE_NEW_CONTEXT, "proxyServer" },
    { "Target", "disposeBrowserContext", USE_DISPOSE, 0, NULL },
    { "Target", "exposeDevToolsProtocol sendMessageToTarget setRemoteLocations", USE_REFUSED, 0,
      NULL },
    { "Tethering", NULL, USE_REFUSED, 0, NULL },
    { "Tracing", "getCategories getTrackEventDescriptor", USE_READS, 0, NULL },
    { "Tracing", "start", USE_TRACE, 0, NULL },
    { "Tracing", "end recordClockSyncMarker requestMemoryDump", 0, 0, NULL },
    { "WebAudio", "disable enable getRealtimeData", USE_READS, 0, NULL },
    { "WebAuthn",
      "addCredential addVirtualAuthenticator clearCredentials disable enable "
      "getCredential getCredentials removeCredential removeVirtualAuthenticator "
      "setAutomaticPresenceSimulation setCredentialProperties setResponseOverrideBits "
      "setUserVerified",
      0, 0, NULL },
    { "WebMCP", "cancelInvocation disable enable invokeTool", 0, 0, NULL },
};

/* Whether `name` is one of the names, which are separated by spaces. */
static bool has_name(const char *names, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = names; (at = strstr(at, name)); at += length) {
        bool is_begin = at == names || at[-1] == ' ';
        if (is_begin && (at[length] == ' ' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
}

const struct method *method_find(const char *name)
{
    const char *period = strchr(name, '.');
    size_t length = period ? (size_t)(period - name) : 0;
    bool is_word = period && period[1] && !strchr(period, ' ');
    for (size_t i = 0; is_word && i < sizeof(methods) / sizeof(methods[0]); i++) {
        const struct method *method = &methods[i];
        if (*method->domain == *name && strncmp(method->domain, name, length) == 0 &&
            method->domain[length] == '\0' &&
            (!method->names || has_name(method->names, period + 1))) {
            return method;
        }
    }
    return NULL;
}
