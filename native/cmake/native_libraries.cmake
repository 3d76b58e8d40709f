# libpagelane.so and libpagelane.a, and what an installation needs to be found by CMake and pkg-config.
include(CMakePackageConfigHelpers)

add_library(pagelane SHARED $<TARGET_OBJECTS:pagelane_objects> ${codec_objects})
add_library(pagelane_static STATIC $<TARGET_OBJECTS:pagelane_objects> ${codec_objects})
add_library(pagelane::pagelane ALIAS pagelane)
add_library(pagelane::pagelane_static ALIAS pagelane_static)
set_target_properties(pagelane PROPERTIES
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set_target_properties(pagelane_static PROPERTIES OUTPUT_NAME pagelane)
foreach(library pagelane pagelane_static)
  target_include_directories(${library} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()
target_link_libraries(pagelane PRIVATE ${static_links})
target_link_libraries(pagelane_static PRIVATE ${static_links})
target_compile_definitions(pagelane_static INTERFACE PAGELANE_STATIC)
if(NOT APPLE AND NOT WIN32 AND NOT PAGELANE_SANITIZE)
  target_link_options(pagelane PRIVATE -Wl,--no-undefined)
endif()

# The static library has a file of its own: a program that links the shared one needs no codec library to be found.
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/pagelane)
install(TARGETS pagelane EXPORT pagelane_shared)
install(TARGETS pagelane_static EXPORT pagelane_static)
install(EXPORT pagelane_shared NAMESPACE pagelane:: FILE pagelaneSharedTargets.cmake DESTINATION ${package_folder})
install(EXPORT pagelane_static NAMESPACE pagelane:: FILE pagelaneStaticTargets.cmake DESTINATION ${package_folder})
install(FILES include/pagelane.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/pagelane DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

set(static_needs_zstd OFF)
if("zstd::libzstd" IN_LIST static_links)
  set(static_needs_zstd ON)
endif()
set(static_needs_zlib OFF)
if("ZLIB::ZLIB" IN_LIST static_links)
  set(static_needs_zlib ON)
endif()
set(static_needs_brotli OFF)
if("brotli::brotlidec" IN_LIST static_links)
  set(static_needs_brotli ON)
endif()
configure_package_config_file(native/cmake/pagelaneConfig.cmake.in pagelaneConfig.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(pagelaneConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/pagelaneConfig.cmake ${PROJECT_BINARY_DIR}/pagelaneConfigVersion.cmake
              native/cmake/Findzstd.cmake native/cmake/Findbrotlidec.cmake
        DESTINATION ${package_folder})

list(JOIN pkgconfig_requires " " pkgconfig_requires)
file(RELATIVE_PATH pkgconfig_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(native/cmake/pagelane.pc.in pagelane.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/pagelane.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
