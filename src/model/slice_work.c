/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A table of names, sorted for a binary search, and a few beginnings of names. A name that is not
 * in it belongs to a task or to something that DevTools does not colour either. */
#include "config.h"

#include "model/slice_work.h"

#include "base/alloc.h"
#include "model/frame.h"

#include <stdlib.h>
#include <string.h>

struct named {
	const char *name;
	uint8_t work;
};

/* clang-format off */
static const struct named by_name[] = {
	{ "AbortPostTaskCallback", WORK_SCRIPTING },
	{ "Animation", WORK_RENDERING },
	{ "AnimationFrame::Render", WORK_RENDERING },
	{ "AnimationFrame::Script::Execute", WORK_SCRIPTING },
	{ "AnimationFrame::StyleAndLayout", WORK_RENDERING },
	{ "BeginCommitCompositorFrame", WORK_PAINTING },
	{ "BeginFrame", WORK_RENDERING },
	{ "BeginMainThreadFrame", WORK_RENDERING },
	{ "CSSParserImpl::parseStyleSheet", WORK_LOADING },
	{ "CancelAnimationFrame", WORK_SCRIPTING },
	{ "CancelIdleCallback", WORK_SCRIPTING },
	{ "Commit", WORK_PAINTING },
	{ "CompositeLayers", WORK_PAINTING },
	{ "ConsoleTime", WORK_SCRIPTING },
	{ "Decode Image", WORK_PAINTING },
	{ "Decode LazyPixelRef", WORK_PAINTING },
	{ "DoDecrypt", WORK_SCRIPTING },
	{ "DoDecryptReply", WORK_SCRIPTING },
	{ "DoDigest", WORK_SCRIPTING },
	{ "DoDigestReply", WORK_SCRIPTING },
	{ "DoEncrypt", WORK_SCRIPTING },
	{ "DoEncryptReply", WORK_SCRIPTING },
	{ "DoSign", WORK_SCRIPTING },
	{ "DoSignReply", WORK_SCRIPTING },
	{ "DoVerify", WORK_SCRIPTING },
	{ "DoVerifyReply", WORK_SCRIPTING },
	{ "Document::recalcStyle", WORK_RENDERING },
	{ "Document::updateStyle", WORK_RENDERING },
	{ "Draw LazyPixelRef", WORK_PAINTING },
	{ "DrawFrame", WORK_RENDERING },
	{ "EmbedderCallback", WORK_SCRIPTING },
	{ "EvaluateScript", WORK_SCRIPTING },
	{ "EventDispatch", WORK_SCRIPTING },
	{ "EventTiming", WORK_SCRIPTING },
	{ "FireAnimationFrame", WORK_SCRIPTING },
	{ "FireIdleCallback", WORK_SCRIPTING },
	{ "FrameStartedLoading", WORK_LOADING },
	{ "FunctionCall", WORK_SCRIPTING },
	{ "GPUTask", WORK_PAINTING },
	{ "HTMLDocumentParser::ParseHTML", WORK_LOADING },
	{ "HandlePostMessage", WORK_SCRIPTING },
	{ "HitTest", WORK_RENDERING },
	{ "ImageDecodeTask", WORK_PAINTING },
	{ "ImageUploadTask", WORK_PAINTING },
	{ "IntersectionObserverController::computeIntersections", WORK_RENDERING },
	{ "InvalidateLayout", WORK_RENDERING },
	{ "JSFrame", WORK_SCRIPTING },
	{ "JSSample", WORK_SCRIPTING },
	{ "LayerTreeHost::DoUpdateLayers", WORK_PAINTING },
	{ "Layerize", WORK_RENDERING },
	{ "Layout", WORK_RENDERING },
	{ "LayoutInvalidationTracking", WORK_RENDERING },
	{ "LayoutShift", WORK_RENDERING },
	{ "LocalFrameView::layout", WORK_RENDERING },
	{ "LocalFrameView::performLayout", WORK_RENDERING },
	{ "MarkDOMContent", WORK_LOADING },
	{ "MarkLoad", WORK_LOADING },
	{ "NeedsBeginFrameChanged", WORK_RENDERING },
	{ "PageAnimator::serviceScriptedAnimations", WORK_RENDERING },
	{ "Paint", WORK_PAINTING },
	{ "PaintImage", WORK_PAINTING },
	{ "PaintSetup", WORK_PAINTING },
	{ "PaintTimingVisualizer::LayoutObjectPainted", WORK_PAINTING },
	{ "ParseAuthorStyleSheet", WORK_LOADING },
	{ "ParseHTML", WORK_LOADING },
	{ "PrePaint", WORK_RENDERING },
	{ "PreloadRenderBlockingStatusChange", WORK_LOADING },
	{ "ProfileCall", WORK_SCRIPTING },
	{ "PropertyTreeBuilder::BuildPropertyTrees", WORK_RENDERING },
	{ "RasterTask", WORK_PAINTING },
	{ "Rasterize", WORK_PAINTING },
	{ "RasterizerTaskImpl::RunOnWorkerThread", WORK_PAINTING },
	{ "RecalculateStyles", WORK_RENDERING },
	{ "RequestAnimationFrame", WORK_SCRIPTING },
	{ "RequestIdleCallback", WORK_SCRIPTING },
	{ "RequestMainThreadFrame", WORK_RENDERING },
	{ "Resize Image", WORK_PAINTING },
	{ "ResourceChangePriority", WORK_LOADING },
	{ "ResourceFetcher::requestResource", WORK_LOADING },
	{ "ResourceFinish", WORK_LOADING },
	{ "ResourceMarkAsCached", WORK_LOADING },
	{ "ResourceReceiveResponse", WORK_LOADING },
	{ "ResourceReceivedData", WORK_LOADING },
	{ "ResourceSendRequest", WORK_LOADING },
	{ "ResourceWillSendRequest", WORK_LOADING },
	{ "RunMicrotasks", WORK_SCRIPTING },
	{ "RunPostTaskCallback", WORK_SCRIPTING },
	{ "SchedulePostMessage", WORK_SCRIPTING },
	{ "SchedulePostTaskCallback", WORK_SCRIPTING },
	{ "ScheduleStyleRecalculation", WORK_RENDERING },
	{ "ScheduledAction::execute", WORK_SCRIPTING },
	{ "ScrollLayer", WORK_RENDERING },
	{ "StyleInvalidatorInvalidationTracking", WORK_RENDERING },
	{ "StyleRecalcInvalidationTracking", WORK_RENDERING },
	{ "TileManager::FinishTasksAndCleanUp", WORK_PAINTING },
	{ "TimeStamp", WORK_SCRIPTING },
	{ "TimerFire", WORK_SCRIPTING },
	{ "TimerInstall", WORK_SCRIPTING },
	{ "TimerRemove", WORK_SCRIPTING },
	{ "UpdateLayer", WORK_PAINTING },
	{ "UpdateLayerTree", WORK_RENDERING },
	{ "UpdateLayoutTree", WORK_RENDERING },
	{ "UserTiming", WORK_SCRIPTING },
	{ "WebAnimation", WORK_RENDERING },
	{ "WebSocketCreate", WORK_SCRIPTING },
	{ "WebSocketDestroy", WORK_SCRIPTING },
	{ "WebSocketReceive", WORK_SCRIPTING },
	{ "WebSocketReceiveHandshakeResponse", WORK_SCRIPTING },
	{ "WebSocketSend", WORK_SCRIPTING },
	{ "WebSocketSendHandshakeRequest", WORK_SCRIPTING },
	{ "XHRLoad", WORK_SCRIPTING },
	{ "XHRReadyStateChange", WORK_SCRIPTING },
	{ "console.profile", WORK_SCRIPTING },
	{ "domContentLoadedEventEnd", WORK_LOADING },
	{ "domContentLoadedEventStart", WORK_LOADING },
	{ "firstContentfulPaint", WORK_LOADING },
	{ "firstPaint", WORK_LOADING },
	{ "loadEventEnd", WORK_LOADING },
	{ "loadEventStart", WORK_LOADING },
	{ "navigationStart", WORK_LOADING },
};

/* clang-format on */

/* V8 has many names; what they share comes first. */
static const struct named beginnings[] = {
	{ "V8.", WORK_SCRIPTING },
	{ "v8.", WORK_SCRIPTING },
};

static int compare(const void *key, const void *row)
{
	return strcmp(key, ((const struct named *)row)->name);
}

enum work slice_work(const char *name)
{
	const struct named *found = bsearch(name, by_name, ARRAY_LEN(by_name), sizeof *by_name,
					    compare);

	if (category_is_gc_slice(name))
		return WORK_GC;
	if (found)
		return (enum work)found->work;
	for (size_t i = 0; i < ARRAY_LEN(beginnings); i++)
		if (strncmp(name, beginnings[i].name, strlen(beginnings[i].name)) == 0)
			return (enum work)beginnings[i].work;
	return WORK_SYSTEM;
}

const char *slice_work_name(enum work work)
{
	static const char *const names[WORK_COUNT] = {
		[WORK_SCRIPTING] = "scripting",
		[WORK_RENDERING] = "rendering",
		[WORK_PAINTING] = "painting",
		[WORK_LOADING] = "loading",
		[WORK_GC] = "GC",
		[WORK_SYSTEM] = "system",
		[WORK_IDLE] = "idle",
	};

	return names[work];
}
